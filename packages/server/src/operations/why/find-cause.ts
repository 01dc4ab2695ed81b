import { nodeBackoffMs } from "../../domain/run.ts";
import { isTerminal } from "../../domain/run-status.ts";
import type { Db } from "../../storage/pool.ts";
import { findLastFailure, type LastFailure } from "../../storage/why/find-last-failure.ts";
import { MAX_COUNTED, MAX_SLOTS_COUNTED, type PlaceInQueue } from "../../storage/why/find-place-in-queue.ts";
import type { WaitingRun } from "../../storage/why/find-waiting-run.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import type { Cause } from "./explanation.ts";

export interface CauseContext {
  readonly db: Db;
  readonly library: FlowLibrary;
}

/** The one thing that has to change before the run goes on. Each look behind it is one statement along an index. */
export async function findCause(
  context: CauseContext,
  run: WaitingRun,
  place: PlaceInQueue | undefined,
): Promise<Cause> {
  if (isTerminal(run.status))
    return { waiting: false, cause: "ended", since: run.completedAt ?? run.updatedAt };
  switch (run.status) {
    case "EXECUTING":
      return executing(context, run);
    case "PAUSED":
      return paused(run);
    default:
      return waiting(context, run, place);
  }
}

async function executing(context: CauseContext, run: WaitingRun): Promise<Cause> {
  const since = run.claimedAt ?? run.updatedAt;
  if (!run.isHeld) return { waiting: true, cause: run.hasWorker ? "lost_worker" : "no_worker", since };
  const failure = await findLastFailure(context.db, run, "EXECUTING");
  const until = failure && (await nextAttemptAt(context, run, failure));
  if (!failure || !until || until <= run.now) return { waiting: false, cause: "executing", since };
  return {
    ...backOff(failure),
    since: new Date(failure.endedAtMs ?? since),
    until,
    attempt: (failure.attempts ?? 1) + 1,
  };
}

/** Of a node that is tried again: its document says how long it rests. */
async function nextAttemptAt(
  { library }: CauseContext,
  { organizationId, flowId, version }: WaitingRun,
  { nodeId, attempts, endedAtMs }: LastFailure,
): Promise<Date | undefined> {
  const flow = await library.compiled(organizationId, flowId, version).catch(() => undefined);
  const node = flow?.nodes.get(nodeId ?? "");
  if (!node || attempts === null || endedAtMs === null || attempts >= node.maxAttempts) return undefined;
  return new Date(endedAtMs + nodeBackoffMs(node.backoffMs, attempts));
}

function backOff(failure: LastFailure | undefined): Pick<Cause, "waiting" | "cause" | "error"> {
  const error = failure?.error && { ...failure.error, nodeKey: failure.nodeKey };
  const cause = error?.name === "InsufficientCredits" ? "credits" : "retry";
  return { waiting: true, cause, ...(error && { error }) };
}

const CAUSE_OF_WAIT = { approval: "approval", wait: "timer", "run-flow": "subflow" } as const;

function paused(run: WaitingRun): Cause {
  const [wait] = run.waits;
  // Answered a moment ago: the run is about to be queued again.
  if (!wait) return { waiting: true, cause: "worker", since: run.updatedAt };
  const since = new Date(wait.since);
  // Nobody can answer while the organization is suspended.
  if (wait.kind === "approval" && run.suspended)
    return { waiting: true, cause: "suspended_organization", since, wait };
  const children = run.waits.flatMap(({ child }) => child ?? []);
  return {
    waiting: true,
    cause: CAUSE_OF_WAIT[wait.kind],
    since,
    wait,
    ...(wait.until !== undefined && { until: new Date(wait.until) }),
    ...(children.length > 0 && { heldBy: children }),
  };
}

async function waiting(
  context: CauseContext,
  run: WaitingRun,
  place: PlaceInQueue | undefined,
): Promise<Cause> {
  const { stage, updatedAt: since, dueAt, now, hasWorker } = run;
  if (stage === "queued" && place) return queued(run, place);
  // Or it has left the queue between two looks.
  if (stage !== "delayed") return { waiting: true, cause: hasWorker ? "worker" : "no_worker", since };
  const isDue = dueAt !== null && dueAt <= now;
  if (isDue && !hasWorker) return { waiting: true, cause: "no_worker", since };
  const until = dueAt ?? undefined;
  if (run.attempt === 1) return { waiting: true, cause: "delay", since, until };
  const failure = await findLastFailure(context.db, run, "FAILED");
  return { ...backOff(failure), since, until, attempt: run.attempt };
}

function queued(run: WaitingRun, { before, held, holders, typicalMs }: PlaceInQueue): Cause {
  const { updatedAt: since, concurrencyLimit, now } = run;
  const isMinimum = before >= MAX_COUNTED;
  const place = {
    waiting: true,
    since,
    position: before + 1,
    ...(isMinimum && { positionIsMinimum: true }),
  };
  if (run.suspended) return { ...place, cause: "suspended_organization" };
  // With a free slot somebody has to give it to the queue, and does so in a moment.
  if (held < Math.min(concurrencyLimit, MAX_SLOTS_COUNTED))
    return { ...place, cause: run.hasWorker ? "worker" : "no_worker" };
  const canTell = typicalMs !== null && !isMinimum && concurrencyLimit > 0;
  return {
    ...place,
    cause: "slot",
    heldBy: holders,
    ...(canTell && {
      until: new Date(now.getTime() + Math.round((typicalMs * (before + 1)) / concurrencyLimit)),
      untilIsEstimate: true,
    }),
  };
}
