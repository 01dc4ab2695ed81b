import { z } from "zod";
import { flowTestDocument } from "../documents/flow-test.ts";
import { flowGraphSchema } from "../documents/graph.ts";
import { success, timestamp } from "../envelope.ts";
import { designId } from "../ids.ts";
import { nodeStatuses, terminalStatuses } from "../run-status.ts";
import { managedList } from "./managed.ts";

const MAX_RUNS = 1_000;
const DEFAULT_RUNS = 200;
/** That a flow can have. */
export const MAX_TESTS = 100;

const graph = flowGraphSchema.optional().describe("this one instead of the draft");
const values = z.record(z.string(), z.unknown());

export const backtestBody = z
  .strictObject({
    last: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(MAX_RUNS, `must be at most ${MAX_RUNS}`)
      .default(DEFAULT_RUNS)
      .describe(`how many runs, the newest that completed or failed; ${DEFAULT_RUNS} unless stated`),
    graph,
  })
  .prefault({});
export type BacktestBody = z.infer<typeof backtestBody>;

const difference = z.strictObject({
  path: z.string().describe("in the output, for example lines[2].price"),
  before: z.string().describe("as JSON, shortened"),
  after: z.string(),
});

export const backtestChange = z.strictObject({
  runId: z.string(),
  version: z.string().describe("of the flow that the run had"),
  before: z.enum(terminalStatuses),
  after: z
    .enum([...terminalStatuses, "UNKNOWN"])
    .describe("UNKNOWN: it depends on a call that was never made"),
  output: z.array(difference).describe("places in which the output changes, 20 at most"),
  error: z.strictObject({ before: z.string().optional(), after: z.string().optional() }).optional(),
  path: z
    .array(
      z.strictObject({
        nodeKey: z.string(),
        change: z.enum(["added", "removed", "handle"]).describe("handle: it is left by another way"),
        before: z.string().optional(),
        after: z.string().optional(),
      }),
    )
    .describe("50 at most"),
  calls: z.array(
    z.strictObject({
      nodeKey: z.string(),
      change: z
        .enum(["new", "dropped"])
        .describe("new: it was never made with this input; dropped: it is made no more"),
      input: values.optional(),
    }),
  ),
});
export type BacktestChange = z.infer<typeof backtestChange>;

export const backtestResult = z.strictObject({
  flowId: z.string(),
  runs: z.int().describe("runs that were replayed"),
  changed: z.int(),
  unchanged: z.int(),
  skipped: z
    .array(
      z.strictObject({ runId: z.string(), why: z.enum(["too large", "took too long", "values hidden"]) }),
    )
    .describe("100 at most"),
  raced: z
    .array(z.string())
    .describe(
      "runs that come out otherwise in a replay even with their own version, because branches raced; they are compared with that replay. 100 at most",
    ),
  complete: z.boolean().describe("false: the time was over before all runs were replayed"),
  nodes: z
    .array(
      z.strictObject({
        nodeId: z.string(),
        added: z.int().describe("runs in which it begins now and did not before"),
        removed: z.int(),
        handle: z.int().describe("runs in which it is left by another way"),
        calls: z.int().describe("runs in which it calls what it never did, or calls no more"),
      }),
    )
    .describe("nodes whose part changes in some run"),
  changes: z.array(backtestChange).describe("the newest 100 runs that change"),
  warnings: z.array(z.string()).describe("of the validation of the graph"),
});
export type BacktestResult = z.infer<typeof backtestResult>;
export const backtestAnswer = success(backtestResult);

export const evaluateBody = z.strictObject({
  runId: z.string().max(64).describe("the run whose recorded values are used"),
  graph,
});
export type EvaluateBody = z.infer<typeof evaluateBody>;

const evaluatedNode = z.strictObject({
  nodeKey: z.string(),
  nodeId: z.string(),
  type: z.string(),
  status: z.enum(nodeStatuses),
  source: z
    .enum(["evaluated", "recorded", "unknown"])
    .describe("recorded: an effect as the run has it; unknown: the run has never called it"),
  input: values.optional(),
  output: values.optional(),
  handle: z.string().optional(),
  error: z.strictObject({ name: z.string(), message: z.string() }).optional(),
  changed: z.boolean().describe("output, error or handle differ from what the run has recorded"),
  inputChanged: z
    .boolean()
    .describe("a recorded effect is given another input now; its answer may be another one"),
  leftOut: z
    .boolean()
    .optional()
    .describe("the values of all nodes are too large together; these are left out"),
});
export type EvaluatedNode = z.infer<typeof evaluatedNode>;

export const evaluation = z.strictObject({
  runId: z.string(),
  status: z
    .enum(["COMPLETED", "FAILED", "PENDING", "CANCELED"])
    .describe("PENDING: it depends on calls that were never made; CANCELED: it took too long"),
  output: values.optional(),
  error: z.strictObject({ name: z.string(), message: z.string(), nodeId: z.string() }).optional(),
  nodes: z.array(evaluatedNode),
  total: z.int().describe("nodes that were evaluated; the first 1,000 are in `nodes`"),
  errors: z.array(z.string()).describe("what keeps the graph from running; then there are no nodes"),
});
export type Evaluation = z.infer<typeof evaluation>;
export const evaluateAnswer = success(evaluation);

export const saveTestBody = z
  .strictObject({
    keep: z
      .array(z.string().min(1).max(1_000))
      .max(1_000)
      .optional()
      .describe(
        "paths of values that may be kept, with all below them: trigger.body.amount, answers.charge, data.lines[].price, or *; secrets never are",
      ),
    id: designId.optional().describe("of the test"),
    name: z.string().min(1).max(200).optional(),
  })
  .prefault({});
export type SaveTestBody = z.infer<typeof saveTestBody>;

export const savedTest = z.strictObject({
  document: flowTestDocument,
  yaml: z.string().describe("the same, to be put into a file beside the flow"),
  redacted: z
    .array(z.string())
    .describe(
      "paths of values that were replaced by others of the same form, the first 1,000; kept likewise",
    ),
  kept: z.array(z.string()),
  sameWay: z.boolean().describe("with these values the flow takes the way of the run"),
  warnings: z.array(z.string()),
});
export type SavedTest = z.infer<typeof savedTest>;
export const savedTestAnswer = success(savedTest);

export const testDraftBody = z.strictObject({
  tests: z
    .array(flowTestDocument)
    .min(1)
    .max(MAX_TESTS)
    .optional()
    .describe("those that are stored with the flow where they are left out"),
  graph,
});
export type TestDraftBody = z.infer<typeof testDraftBody>;

/** Everything that a failed test says; each language has its own words for it. */
const testTextCodes = [
  "status",
  "status-error",
  "output",
  "error",
  "path",
  "path-missing",
  "path-extra",
  "path-twice",
  "path-order",
  "call-count",
  "call-inputs",
  "call",
  "call-value",
  "value",
  "more",
  "no-answer",
  "answer-missing",
  "was-given",
  "no-fit",
  "flow",
  "fault",
] as const;
export const testText = z.strictObject({
  code: z.enum(testTextCodes),
  values: z
    .record(z.string(), z.string())
    .describe("what the words speak of, by name: node, expected, actual, path …"),
});
export type TestText = z.infer<typeof testText>;

export const draftTested = z.strictObject({
  passed: z.int(),
  failed: z.int(),
  tests: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      passed: z.boolean(),
      failures: z.array(
        z.strictObject({
          what: z.enum(["status", "output", "error", "path", "calls", "answer", "flow"]),
          message: z.string(),
          differences: z.array(z.string()).optional().describe("place by place"),
          words: testText.describe("the message, for whoever says it in another language"),
          places: z.array(testText).optional().describe("the differences likewise"),
        }),
      ),
    }),
  ),
});
export type DraftTested = z.infer<typeof draftTested>;
export const draftTestedAnswer = success(draftTested);

export const storedTest = z.strictObject({
  id: z.string(),
  flowId: z.string(),
  name: z.string(),
  author: z.string().optional(),
  updatedAt: timestamp,
  document: flowTestDocument.loose().describe("of the kind FlowTest, as `apply` takes it"),
});
export type StoredTest = z.infer<typeof storedTest>;
export const storedTestsAnswer = managedList(storedTest);
export const storedTestAnswer = success(storedTest);
export const putTestBody = z.strictObject({
  document: flowTestDocument.describe("its `id` and `flowId` are those of the address"),
});
export type PutTestBody = z.infer<typeof putTestBody>;
export const testDeletedAnswer = success(z.strictObject({ flowId: z.string(), id: z.string() }));
