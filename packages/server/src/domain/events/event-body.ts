import { wellFormed } from "../well-formed.ts";
import { idTimeMs, withPrefix } from "../ids.ts";
import type { RunEventData, RunWait, StoredEvent } from "./stored-event.ts";

/** The address that answers an approval without a key. */
export type ResumeUrl = (organizationId: string, runId: string, nodeKey: string) => string;

// Keeps every body under 20 KB beside the output, whatever a node had to say about its failure.
const MAX_ERROR_LENGTH = 1_000;
const MAX_WAITS = 20;
const MAX_MESSAGE_LENGTH = 1_000;
const MAX_LISTED_MESSAGE_LENGTH = 100;

/** What the flow returned, as it was stored; without the text where that is too large to be sent. */
export interface EventOutput {
  readonly output: string | null;
  readonly isTooLarge: boolean;
}

/** What a receiver gets: the same text for every endpoint, every retry and every replay. */
export function eventBody(
  organizationId: string,
  event: StoredEvent,
  resumeUrl: ResumeUrl,
  output?: EventOutput,
): string {
  const body = JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: event.at.toISOString(),
    organizationId,
    data: dataOf(organizationId, event, resumeUrl),
  });
  return output ? withOutput(body, output) : body;
}

/** The event tells of its output: the other ends have none. */
export function hasOutput({ type, runId }: StoredEvent): boolean {
  return type === "run.completed" && runId !== null;
}

/** The last field of `run`, which is the last of `data`, which is the last of all: its text keeps the order of its keys. */
function withOutput(body: string, { output, isTooLarge }: EventOutput): string {
  const field = isTooLarge ? `"outputTruncated":true` : `"output":${output ?? "{}"}`;
  return `${body.slice(0, -"}}}".length)},${field}}}}`;
}

function dataOf(organizationId: string, event: StoredEvent, resumeUrl: ResumeUrl): object {
  if (event.runId === null) return event.data;
  const data = event.data as unknown as RunEventData;
  if (event.type.startsWith("queue.")) return { queueItem: queueItem(event.runId, data) };
  return { run: run(organizationId, event.runId, event.at, data, resumeUrl) };
}

function queueItem(runId: string, { status, flowId, version, triggerSource }: RunEventData): object {
  return {
    id: withPrefix(runId, "queue"),
    status,
    flowId,
    version,
    triggerSource,
    runHistoryId: withPrefix(runId, "rh"),
    createdAt: createdAt(runId),
    ...(status === "dispatched" && { runId }),
  };
}

function run(organizationId: string, id: string, at: Date, data: RunEventData, resumeUrl: ResumeUrl): object {
  const { startedAt, completedAt, error } = data;
  // Of several things a run waits for, approvals are those a receiver can do something about.
  const waits = data.waits?.toSorted((a, b) => Number(b.kind === "approval") - Number(a.kind === "approval"));
  const shown = (wait: RunWait, maxLength: number) => ({
    nodeId: wait.nodeId,
    nodeKey: wait.nodeKey,
    kind: wait.kind,
    ...(wait.message !== undefined && { message: wellFormed(wait.message.slice(0, maxLength)) }),
    ...(wait.kind === "approval" && { resumeUrl: resumeUrl(organizationId, id, wait.nodeKey) }),
    ...(wait.dueAt !== undefined && { until: wait.dueAt }),
  });
  const first = waits?.[0];
  return {
    id,
    status: data.status,
    taskIdentifier: data.parentRunId === null ? "execute-flow" : "execute-subflow",
    version: data.version,
    flowId: data.flowId,
    triggerSource: data.triggerSource,
    tags: data.tags,
    isTest: data.isTest,
    attempt: data.attempt,
    createdAt: createdAt(id),
    ...(startedAt !== null && { startedAt: iso(startedAt) }),
    ...(completedAt !== null && { completedAt: iso(completedAt) }),
    updatedAt: at.toISOString(),
    ...(data.status === "COMPLETED" && { duration: durationSeconds(data) }),
    ...(error !== null && { error: { ...error, message: error.message.slice(0, MAX_ERROR_LENGTH) } }),
    ...(first && {
      pause: shown(first, MAX_MESSAGE_LENGTH),
      waits: waits.slice(0, MAX_WAITS).map((wait) => shown(wait, MAX_LISTED_MESSAGE_LENGTH)),
    }),
  };
}

function createdAt(runId: string): string {
  return new Date(idTimeMs(runId)).toISOString();
}

/** The database writes microseconds and an offset. */
function iso(time: string): string {
  return new Date(time).toISOString();
}

function durationSeconds({ startedAt, completedAt }: RunEventData): number {
  if (startedAt === null || completedAt === null) return 0;
  return (new Date(completedAt).getTime() - new Date(startedAt).getTime()) / 1000;
}
