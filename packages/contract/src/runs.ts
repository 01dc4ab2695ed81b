import { z } from "zod";
import { safeText, success, timestamp } from "./envelope.ts";
import { forkedFrom, runFork } from "./fork.ts";
import { designId } from "./ids.ts";
import { parseMoment } from "./moment.ts";
import { pageQuery, pagination } from "./paging.ts";
import {
  nodeStatuses,
  runStatuses,
  taskIdentifiers,
  terminalStatuses,
  triggerSources,
  waitKinds,
} from "./run-status.ts";

const anyObject = z.record(z.string(), z.unknown());

const runFields = {
  id: z.string().describe("starts with run_"),
  status: z.enum(runStatuses),
  taskIdentifier: z.enum(taskIdentifiers),
};
const runTimes = {
  createdAt: timestamp,
  updatedAt: timestamp,
  startedAt: timestamp.optional(),
  completedAt: timestamp.optional(),
};
const version = z.string().describe("of the flow when the run was triggered, YYYYMMDD.N");

const runPayload = z.strictObject({
  organizationId: z.string(),
  flowId: z.string(),
  triggerSource: z.enum(triggerSources),
});

const flowRun = z.strictObject({
  ...runFields,
  payload: runPayload,
  tags: z.array(z.string()),
  ...runTimes,
});
export type FlowRun = z.infer<typeof flowRun>;

const run = flowRun.extend({ version });
export type Run = z.infer<typeof run>;

const runWait = z.strictObject({
  nodeId: z.string(),
  nodeKey: z.string().describe("what an answer names: the node id, with the round inside containers: ask[3]"),
  kind: z.enum(waitKinds),
  message: z.string().optional().describe("the question of an approval"),
  assignees: z.array(z.string()).optional().describe("who may answer with a key, beside admins and owners"),
  form: anyObject.optional().describe("JSON Schema of the answer's data"),
  resumeUrl: z.string().optional().describe("single-use link that answers this approval without a key"),
  until: timestamp.optional(),
});

const runDetail = run.extend({
  payload: runPayload.extend({ data: anyObject.optional().describe("custom data of the trigger, echoed") }),
  output: anyObject.optional().describe("what the flow returned; COMPLETED only"),
  duration: z.number().optional().describe("seconds; COMPLETED only"),
  error: z
    .strictObject({ name: z.string(), message: z.string(), nodeId: z.string().optional() })
    .optional()
    .describe("FAILED, CRASHED and TIMED_OUT only"),
  pause: runWait.optional().describe("what the run waits for, of several an approval first; PAUSED only"),
  waits: z
    .array(runWait)
    .optional()
    .describe("all that its nodes wait for right now, at most 100, also while other branches execute"),
  forkedFrom: forkedFrom.optional().describe("the run that this one goes on from"),
  forks: z.array(runFork).optional().describe("runs that go on from this one, newest first, at most 100"),
  valuesHidden: z.boolean().optional().describe("the organization hides values and messages from viewers"),
});
export type RunDetail = z.infer<typeof runDetail>;

const runNode = z.strictObject({
  nodeKey: z.string().describe("the node id, with the round inside containers: fetch[3]"),
  nodeId: z.string(),
  type: z.string(),
  status: z
    .enum(nodeStatuses)
    .describe(
      "CANCELED, ABORTED and TIMED_OUT: it was stopped by a cancel, by the end of the run in another branch, by a limit of time",
    ),
  startedAt: timestamp,
  completedAt: timestamp.optional().describe("where the node has ended"),
  attempts: z.int(),
  input: anyObject.optional(),
  output: anyObject.optional(),
  handle: z.string().optional().describe("the way out that was taken"),
  error: z.strictObject({ name: z.string(), message: z.string() }).optional(),
  log: z.array(z.string()),
  valuesLeftOut: z
    .boolean()
    .optional()
    .describe("input and output are not shown: those of the nodes before have 5 MB together"),
  valuesHidden: z.boolean().optional().describe("the organization hides values and messages from viewers"),
});
export type RunNode = z.infer<typeof runNode>;

const page = <Item extends z.ZodType>(item: Item) =>
  success(z.strictObject({ data: z.array(item), pagination }));

export const runsAnswer = page(run);
export const flowRunsAnswer = page(flowRun);
export const runAnswer = success(runDetail);
export const runNodesAnswer = success(z.array(runNode)).extend({
  total: z.int().describe("how many nodes there are; the first 5,000 are shown"),
});

const MAX_FILTER_VALUES = 50;
const list = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    // One more than allowed is enough to be refused.
    .transform((text) => text.split(",", MAX_FILTER_VALUES + 1).map((value) => value.trim()))
    .pipe(z.array(item).max(MAX_FILTER_VALUES, `must have at most ${MAX_FILTER_VALUES} values`))
    .transform((values) => [...new Set(values)])
    .optional();

const moment = z
  .string()
  .transform((text, context) => {
    const value = parseMoment(text);
    if (value) return value;
    context.addIssue({ code: "custom", message: "must be an ISO 8601 date or time" });
    return z.NEVER;
  })
  .optional();

/** When runs were created. */
export const createdAtFilter = {
  "filter[createdAt][from]": moment.describe("created at this time or later, ISO 8601"),
  "filter[createdAt][to]": moment.describe("created at this time or earlier, ISO 8601"),
  "filter[createdAt][period]": z
    .string()
    .regex(
      /^(?:today|yesterday|hour|day|week|month|year|[1-9]\d{0,5}[mhdw])$/,
      "must be today, yesterday, hour, day, week, month, year, or a number with m, h, d or w",
    )
    .optional()
    .describe("today, yesterday, hour, day, week, month, year, or 30m, 12h, 7d, 2w; in UTC"),
};

const runFilters = {
  "filter[status]": list(z.enum(runStatuses, `must be one of ${runStatuses.join(", ")}`)).describe(
    "any of these statuses, comma-separated",
  ),
  "filter[tag]": list(safeText.min(1, "must not be empty").max(128)).describe(
    "any of these tags, comma-separated",
  ),
  ...createdAtFilter,
  "filter[isTest]": z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .optional()
    .describe("true or false")
    .meta({ parameter: { type: "boolean" } }),
};

export const flowRunsQuery = z.object({ ...pageQuery, ...runFilters });
export type FlowRunsQuery = z.infer<typeof flowRunsQuery>;

export const runsQuery = z.object({
  organizationId: designId.optional().describe("only this organization"),
  "filter[organizationId]": designId.optional().describe("the same, in the form of the other filters"),
  "filter[flowId]": designId.optional().describe("only this flow"),
  ...pageQuery,
  ...runFilters,
  "filter[taskIdentifier]": list(safeText.max(64)).describe(
    `${taskIdentifiers.join(" or ")}, comma-separated`,
  ),
  "filter[version]": list(safeText.max(64)).describe("any of these versions, comma-separated"),
  "filter[triggerSource]": list(
    z.enum(triggerSources, `must be one of ${triggerSources.join(", ")}`),
  ).describe("started by any of these, comma-separated"),
});
export type RunsQuery = z.infer<typeof runsQuery>;

export const runStreamQuery = z.object({
  include: z
    .literal("nodes", "must be nodes")
    .optional()
    .describe("nodes: also an event for every node that begins, pauses or ends, from the first one on"),
});

/** What the messages of a run stream hold, one JSON object each. */
export const runStreamEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("connected"), runId: z.string() }),
  z.strictObject({
    type: z.literal("update"),
    data: z.strictObject({ ...runFields, payload: runPayload, updatedAt: timestamp }),
  }),
  z.strictObject({
    type: z.literal("node"),
    data: z.strictObject({
      nodeKey: z.string(),
      nodeId: z.string(),
      type: z.string(),
      status: z.enum(nodeStatuses),
      startedAt: timestamp,
      completedAt: timestamp.optional().describe("where the node has ended"),
    }),
  }),
  z.strictObject({ type: z.literal("completed"), status: z.enum(terminalStatuses) }),
  z.strictObject({ type: z.literal("error"), error: z.string() }),
]);
export type RunStreamEvent = z.infer<typeof runStreamEvent>;
