import { z } from "zod";
import { timestamp } from "./envelope.ts";
import { runStatuses, taskIdentifiers, triggerSources, waitKinds } from "./run-status.ts";

const eventWait = z.strictObject({
  nodeId: z.string(),
  nodeKey: z.string().describe("the node id, with the round inside containers: ask[3]"),
  kind: z.enum(waitKinds),
  message: z.string().optional().describe("the question of an approval"),
  resumeUrl: z.string().optional().describe("single-use link that answers this approval without a key"),
  until: timestamp.optional(),
});

export const eventRun = z.strictObject({
  id: z.string().describe("starts with run_"),
  status: z.enum(runStatuses),
  taskIdentifier: z.enum(taskIdentifiers),
  version: z.string(),
  flowId: z.string(),
  triggerSource: z.enum(triggerSources),
  tags: z.array(z.string()),
  isTest: z.boolean(),
  attempt: z.int(),
  createdAt: timestamp,
  startedAt: timestamp.optional(),
  completedAt: timestamp.optional(),
  updatedAt: timestamp,
  duration: z.number().optional().describe("seconds; run.completed"),
  error: z
    .strictObject({ name: z.string(), message: z.string(), nodeId: z.string().optional() })
    .optional()
    .describe("run.failed, run.crashed and run.timed_out"),
  pause: eventWait.optional().describe("run.paused: what it waits for, of several an approval first"),
  waits: z.array(eventWait).optional().describe("run.paused: all of them, at most 20"),
  output: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("run.completed: what the flow returned, up to 64 KB"),
  outputTruncated: z.literal(true).optional().describe("run.completed: the output is larger, and left out"),
});

export const eventQueueItem = z.strictObject({
  id: z.string().describe("starts with queue_"),
  status: z.enum(["waiting", "dispatched", "canceled"]),
  flowId: z.string(),
  version: z.string(),
  triggerSource: z.enum(triggerSources),
  runHistoryId: z.string().describe("starts with rh_"),
  createdAt: timestamp,
  runId: z.string().optional().describe("once dispatched"),
});

export const eventSession = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  externalId: z.string(),
  endUserId: z.string().optional(),
  createdAt: timestamp,
});

export const eventMessage = z.strictObject({
  agentId: z.string(),
  sessionId: z.string(),
  number: z.int().describe("of the turn"),
  status: z.string(),
  error: z.string().optional().describe("the code of what went wrong"),
  usage: z.record(z.string(), z.unknown()).optional().describe("steps, tool calls and tokens"),
  messageCharacters: z.int().optional(),
  replyCharacters: z.int().optional(),
  createdAt: timestamp,
  startedAt: timestamp.optional(),
  completedAt: timestamp.optional(),
});

const event = <Kinds extends readonly [string, ...string[]], Data extends z.ZodType>(
  kinds: Kinds,
  data: Data,
) =>
  z.strictObject({
    id: z.string().describe("starts with evt_; the same for every attempt"),
    type: z.enum(kinds),
    timestamp: timestamp.describe("when it happened"),
    organizationId: z.string(),
    data,
  });

/** What an event endpoint is sent, by what it tells of. */
export const outgoingEvents = {
  run: event(
    [
      "run.created",
      "run.started",
      "run.retrying",
      "run.paused",
      "run.resumed",
      "run.completed",
      "run.failed",
      "run.canceled",
      "run.crashed",
      "run.timed_out",
    ],
    z.strictObject({ run: eventRun }),
  ),
  queueItem: event(
    ["queue.item_created", "queue.item_dispatched", "queue.item_canceled"],
    z.strictObject({ queueItem: eventQueueItem }),
  ),
  session: event(["agent.session_created"], z.strictObject({ session: eventSession })),
  message: event(
    ["agent.message_completed", "agent.message_failed"],
    z.strictObject({ message: eventMessage }),
  ),
  test: event(
    ["endpoint.test"],
    z.strictObject({ endpoint: z.strictObject({ id: z.string() }), message: z.string() }),
  ),
  disabled: event(
    ["endpoint.disabled"],
    z.strictObject({
      endpoint: z.strictObject({
        id: z.string(),
        reason: z.string().describe("gone or failing"),
        disabledAt: timestamp,
      }),
    }),
  ),
};

export const outgoingEvent = z.discriminatedUnion("type", [
  outgoingEvents.run,
  outgoingEvents.queueItem,
  outgoingEvents.session,
  outgoingEvents.message,
  outgoingEvents.test,
  outgoingEvents.disabled,
]);
