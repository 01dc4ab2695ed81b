import { z } from "zod";
import { designId } from "../ids.ts";
import { closedObject } from "./closed-object.ts";
import { name } from "./fields.ts";

const values = z.record(z.string(), z.unknown());
const nodeKey = z.string().min(1).max(1_000);

const failure = closedObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .describe("As `nodes.<id>.error.name` reads it: `HttpTimeout`, `QueryFailed` …"),
  message: z.string().max(10_000),
  status: z.int().min(100).max(599).optional().describe("Of an HTTP answer; `retry.on` looks at it."),
});

const output = z.record(z.string().regex(/^[^$]/, "must not begin with $"), z.unknown());
const plainAnswer = z.union(
  [closedObject({ $error: failure }), output],
  "must be an output, or { $error: { name, message } }",
);

const answer = z.union(
  [
    closedObject({ $error: failure.describe("The node fails with it.") }),
    closedObject({
      $attempts: z
        .array(plainAnswer)
        .min(1)
        .max(100)
        .describe("One answer for each attempt; the last one for all further ones."),
    }),
    closedObject({
      $byInput: z
        .array(
          closedObject({
            input: values.describe("Inputs that must be exactly so; others may be anything."),
            answer: plainAnswer,
          }),
        )
        .min(1)
        .max(1_000)
        .describe("The first whose `input` fits what the node was given."),
    }),
    output.describe("The output of the node."),
  ],
  "must be an output, { $error }, { $attempts } or { $byInput }",
);

/** Statuses that a run can end with where nothing comes from outside. */
const testStatuses = ["COMPLETED", "FAILED"] as const;

const expectation = closedObject({
  status: z
    .enum(testStatuses, `must be one of ${testStatuses.join(", ")}`)
    .optional()
    .describe("COMPLETED unless stated."),
  output: values.optional().describe("The output of the run, exactly."),
  error: closedObject({
    name: z.string().optional(),
    message: z.string().optional(),
    nodeId: z.string().optional().describe("The node that failed."),
  })
    .optional()
    .describe("What a FAILED run says of itself; what is left out may be anything."),
  path: z
    .array(z.string().min(1).max(64))
    .max(2_000)
    .optional()
    .describe(
      "Every node that began, by id and once each, in the order of the flow; branches beside each other may stand in any order.",
    ),
  calls: z
    .record(
      nodeKey,
      z.union(
        [z.int().min(0), z.array(values).max(1_000)],
        "must be a number of calls, or a list with the inputs of each",
      ),
    )
    .optional()
    .describe(
      "By node id or node key: how often the node was called, or the inputs of each call in order. Of inputs that are listed each named one must be exactly so.",
    ),
});

export const flowTestDocument = closedObject({
  kind: z.literal("FlowTest"),
  id: designId,
  flowId: designId.describe("The flow that is tested, from the same files."),
  name,
  now: z.iso
    .datetime({ offset: true, error: "must be a moment such as 2026-01-31T09:00:00Z" })
    .optional()
    .describe("When the run starts; 2026-01-01T00:00:00Z unless stated. Waits pass at once."),
  trigger: closedObject({
    body: z.unknown().optional(),
    headers: values.optional(),
    query: values.optional(),
    method: z.string().max(64).optional(),
  }).optional(),
  data: values.optional().describe("`data` of the run."),
  vars: values.optional().describe("Variables of the organization, as expressions read them."),
  inputs: values.optional().describe("Overrides of node inputs, keyed `{nodeId}_{inputName}`."),
  answers: z
    .record(nodeKey, answer)
    .optional()
    .describe(
      "By node id, or by node key for one round (`fetch[3]`, which wins): what nodes with effects and approvals answer. Nothing is ever called.",
    ),
  expect: expectation,
});

export type FlowTestDocument = z.infer<typeof flowTestDocument>;
export type TestAnswer = NonNullable<FlowTestDocument["answers"]>[string];
export type PlainTestAnswer = z.infer<typeof plainAnswer>;
export type TestExpectation = FlowTestDocument["expect"];
