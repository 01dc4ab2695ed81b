import { z } from "zod";
import { designId } from "../ids.ts";
import { waitTime } from "../wait-time.ts";
import { closedObject } from "./closed-object.ts";
import { name, organizationId, slug } from "./fields.ts";
import { flowGraphSchema } from "./graph.ts";

const schedule = closedObject({
  id: designId.describe("Unique in the flow."),
  cron: z.string().min(1).max(200).describe("Five fields: minute, hour, day of month, month, day of week."),
  timezone: z.string().min(1).max(64).optional().describe("For example Europe/Istanbul; default UTC."),
  data: z.record(z.string(), z.unknown()).optional().describe("Becomes `data` of the run."),
});

export const flowTool = closedObject({
  description: z
    .string()
    .min(1, "must not be empty")
    .max(2_000, "must be at most 2000 characters")
    .describe("Tells a model what the flow does and when to use it."),
  readOnly: z
    .boolean("must be true or false")
    .optional()
    .describe("true: it changes nothing, wherever it is called."),
});

const flowSettings = {
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("JSON Schema (2020-12) of `trigger.body`: what does not fit is refused before a run is made."),
  tool: flowTool.optional().describe("Offers the flow as a tool, to agents and over MCP."),
  onFailure: designId
    .optional()
    .describe(
      "Another flow of the organization, started with `{runId, flowId, error}` as `trigger.body` where a run ends FAILED, CRASHED or TIMED_OUT.",
    ),
  requireTests: z
    .boolean("must be true or false")
    .optional()
    .describe(
      "true: a draft is published only where the flow has stored tests and all of them pass on it; rolling back and `apply` are free.",
    ),
};

/** What a version of a flow says beside its graph. */
export const flowSettingsSchema = closedObject(flowSettings);

export const flowDocument = closedObject({
  kind: z.literal("Flow"),
  id: designId,
  organizationId,
  name,
  slug: slug.optional(),
  active: z
    .boolean()
    .optional()
    .describe("false: webhook starts are refused. Left out: as it is stored, true for a new flow."),
  webhook: closedObject({
    enabled: z.boolean(),
    respond: closedObject({
      wait: waitTime.describe(
        "30s, 2m, at most 5m; whoever the flow has not answered by then gets the usual 202.",
      ),
    })
      .optional()
      .describe(
        "The caller waits for the end of the run and gets what `return` says: value, status, headers.",
      ),
  })
    .optional()
    .describe("The service makes the token; left out, the webhook is deleted."),
  schedules: z.array(schedule).max(100).optional(),
  ...flowSettings,
  graph: flowGraphSchema,
});

export type FlowDocument = z.infer<typeof flowDocument>;
export type FlowSettings = z.infer<typeof flowSettingsSchema>;
/** The names of what a version says beside its graph, in the order in which it is kept. */
export const flowSettingNames = Object.keys(flowSettings) as (keyof FlowSettings)[];
export type ScheduleDocument = z.infer<typeof schedule>;
