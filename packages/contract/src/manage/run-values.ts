import { z } from "zod";
import { safeText, success, timestamp } from "../envelope.ts";
import { pageQuery, pagination } from "../paging.ts";
import { nodeStatuses, triggerSources } from "../run-status.ts";

const anyValue = z.unknown();
const anyObject = z.record(z.string(), anyValue);
const nodeKey = z.string().describe("the node id, with the round inside containers: fetch[3]");

const head = {
  nodeKey,
  nodeId: z.string(),
  type: z.string(),
  status: z.enum(nodeStatuses),
  startedAt: timestamp,
  completedAt: timestamp.optional().describe("where the node has ended"),
  attempts: z.int().optional().describe("absent while nothing of the node is stored"),
  handle: z.string().optional().describe("the way out that was taken"),
};

const nodeRecord = z.strictObject({
  ...head,
  sizes: z
    .strictObject({
      input: z.int().optional(),
      output: z.int().optional(),
      record: z.int().describe("all that is stored of the node"),
    })
    .optional()
    .describe("bytes as JSON; absent while nothing of the node is stored"),
});
export type NodeRecordWire = z.infer<typeof nodeRecord>;

export const nodeRecordsAnswer = success(
  z.strictObject({
    data: z.array(nodeRecord),
    pagination,
    rounds: z.int().optional().describe("of a container: how many rounds there are in all"),
  }),
);

const nodeKeyText = safeText.min(1, "must not be empty").max(512);

export const nodeRecordsQuery = z.object({
  ...pageQuery,
  container: nodeKeyText
    .optional()
    .describe(
      "the node key of a for-each or while: its rounds in order, whole ones, page[size] of them at most; without it the nodes outside of containers, all of them",
    ),
  "filter[round]": z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .optional()
    .describe("only this round of the container, from 0")
    .meta({ parameter: { type: "integer", minimum: 0 } }),
  "filter[status]": z
    .string()
    .transform((text) => text.split(",", nodeStatuses.length + 1).map((value) => value.trim()))
    .pipe(
      z
        .array(z.enum(nodeStatuses, `must be one of ${nodeStatuses.join(", ")}`))
        .max(nodeStatuses.length, "must not repeat"),
    )
    .optional()
    .describe("any of these statuses, comma-separated"),
});
export type NodeRecordsQuery = z.infer<typeof nodeRecordsQuery>;

const nodeValues = z.strictObject({
  ...head,
  input: anyObject.optional(),
  output: anyObject.optional(),
  error: z.strictObject({ name: z.string(), message: z.string() }).optional(),
  log: z.array(z.string()).optional(),
  valuesHidden: z
    .boolean()
    .optional()
    .describe("the organization hides input, output, error and log from viewers"),
});
export type NodeValuesWire = z.infer<typeof nodeValues>;
export const nodeValuesAnswer = success(nodeValues);

const runTrigger = z.strictObject({
  triggerSource: z.enum(triggerSources),
  trigger: anyObject.optional().describe("body, headers, method and query, as the start node gives them"),
  data: anyObject.optional().describe("custom data of the trigger"),
  inputs: anyObject.optional().describe("overrides of node inputs, by {nodeId}_{inputName}"),
  variablesVersion: z.int().optional().describe("of the organization's variables that the run sees"),
  valuesHidden: z.boolean().optional().describe("the organization hides them from viewers"),
});
export type RunTriggerWire = z.infer<typeof runTrigger>;
export const runTriggerAnswer = success(runTrigger);
