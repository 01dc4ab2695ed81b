import { z } from "zod";
import { anyObject } from "./any-object.ts";
import { bounded } from "./bounded.ts";
import { delayMs } from "./duration.ts";
import { safeText, success, timestamp } from "./envelope.ts";
import { designId } from "./ids.ts";
import { runStatuses, taskIdentifiers, triggerSources } from "./run-status.ts";
import { waitTime } from "./wait-time.ts";

const MAX_TAGS = 10;
const MAX_TAG_LENGTH = 128;
const MAX_DELAY_MS = 365 * 86_400_000;
const MAX_DURATION_SECONDS = 86_400;
export const DEFAULT_DURATION_SECONDS = 3_600;

const triggerEnvelope = z.object(
  {
    body: z.unknown().optional(),
    headers: anyObject.optional(),
    method: safeText.optional(),
    query: anyObject.optional(),
  },
  "must be an object",
);

export const triggerPayload = z.object(
  {
    organizationId: designId.optional().describe("required with a user-scoped key"),
    flowId: designId.describe("the flow to execute"),
    inputs: anyObject.optional().describe("overrides of node inputs, keyed {nodeId}_{inputName}"),
    trigger: triggerEnvelope
      .optional()
      .describe("body, headers, method and query, merged onto the start node"),
    data: anyObject.optional().describe("custom data, echoed in the run's payload"),
    triggerSource: z
      .enum(triggerSources, `must be one of ${triggerSources.join(", ")}`)
      .default("api")
      .describe("who started the run"),
  },
  "must be an object",
);

export const runTags = bounded(
  MAX_TAGS,
  z
    .array(
      safeText
        .min(1, "must not be empty")
        .max(MAX_TAG_LENGTH, `must have at most ${MAX_TAG_LENGTH} characters`),
      "must be an array of strings",
    )
    .max(MAX_TAGS),
);

export const triggerBody = z.object(
  {
    payload: triggerPayload,
    idempotencyKey: safeText
      .min(1, "must not be empty")
      .max(2_048, "must have at most 2048 characters")
      .optional()
      .describe("a second trigger with the same key returns the run of the first"),
    delay: safeText
      .refine((text) => delayMs(text) > 0 && delayMs(text) <= MAX_DELAY_MS, {
        message: "must be a whole number above 0 with s, m, h or d, such as 30s or 2d, and at most 365d",
      })
      .optional()
      .describe("time before the start: 30s, 5m, 1h, 2d"),
    tags: runTags
      .default([])
      .transform((tags) => [...new Set(tags)])
      .describe(`at most ${MAX_TAGS} tags of 1 to ${MAX_TAG_LENGTH} characters`),
    maxAttempts: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(100, "must be at most 100")
      .default(1)
      .describe("attempts in all, 1 to 100"),
    maxDuration: z
      .number("must be a number of seconds")
      .positive("must be above 0")
      .transform((seconds) => Math.min(seconds, MAX_DURATION_SECONDS))
      .default(DEFAULT_DURATION_SECONDS)
      .describe(`seconds of active time, at most ${MAX_DURATION_SECONDS}; more is clamped`),
    isTest: z.boolean("must be true or false").default(false).describe("marks the run for filter[isTest]"),
  },
  "must be an object",
);
export type TriggerBody = z.infer<typeof triggerBody>;
/** What a caller writes: everything with a default may be left out. */
export type TriggerRequest = z.input<typeof triggerBody>;

export const triggerQuery = z.object({
  wait: waitTime
    .transform(delayMs)
    .optional()
    .describe("30s, 2m, at most 5m: wait so long for the end of the run, and answer 200 with all of it")
    .meta({ parameter: { type: "string" } }),
});

export const runCreatedAnswer = success(
  z.strictObject({
    id: z.string().describe("starts with run_"),
    status: z.enum(runStatuses),
    taskIdentifier: z.enum(taskIdentifiers),
    payload: z.strictObject({ organizationId: z.string(), flowId: z.string() }),
    createdAt: timestamp,
  }),
);
export type RunCreatedAnswer = z.infer<typeof runCreatedAnswer>;

export const runQueuedAnswer = success(
  z.strictObject({
    status: z.literal("queued"),
    queueId: z.string().describe("starts with queue_"),
    runHistoryId: z.string().describe("starts with rh_"),
  }),
);
export type RunQueuedAnswer = z.infer<typeof runQueuedAnswer>;

export const cancelRunQuery = z.object({
  paused: z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .optional()
    .describe("true: also a PAUSED run")
    .meta({ parameter: { type: "boolean" } }),
});

export const runCanceledAnswer = success(
  z.strictObject({ id: z.string(), status: z.literal("CANCELED"), canceledAt: timestamp }),
);
export type RunCanceledAnswer = z.infer<typeof runCanceledAnswer>;

export const resumeBody = z.object(
  {
    nodeId: safeText
      .min(1, "must not be empty")
      .max(1_000, "must have at most 1000 characters")
      .optional()
      .describe(
        "the node key of the approval, such as ask or ask[2]; needed where several are pending, or one was answered without it",
      ),
    decision: z.enum(["approved", "rejected"], "must be approved or rejected"),
    data: anyObject.optional().describe("handed to the flow with the decision"),
  },
  "must be an object",
);
export type ResumeBody = z.infer<typeof resumeBody>;

export const runResumedAnswer = success(
  z.strictObject({
    id: z.string(),
    nodeId: z.string(),
    nodeKey: z.string(),
    decision: z.enum(["approved", "rejected"]),
    resumedAt: timestamp,
  }),
);
export type RunResumedAnswer = z.infer<typeof runResumedAnswer>;
