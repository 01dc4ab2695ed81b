import { type IdMaker, idTimeMs } from "../../domain/ids.ts";
import type { NewRun } from "../../domain/new-run.ts";
import type { Fork } from "../../storage/forks/fork-runs.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findIdempotentRun } from "../../storage/runs/find-idempotent-run.ts";
import { findRunState } from "../../storage/runs/find-run-state.ts";
import type { Db } from "../../storage/pool.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import type { Admission } from "../../storage/runs/admit-runs.ts";
import type { RunAdmission } from "./admission.ts";

/** What a trigger is answered with: a run, or a place in the queue. */
export interface RunStart {
  readonly runId: string;
  readonly organizationId: string;
  readonly flowId: string;
  readonly status: string;
  readonly queued: boolean;
  /** What the first answer said, however the run stands now. */
  readonly answeredQueued: boolean;
  readonly replayed: boolean;
  readonly createdAt: Date;
}

/** What it takes to start runs. */
export interface StartContext {
  readonly db: Db;
  readonly library: FlowLibrary;
  readonly ids: IdMaker;
  readonly admission: RunAdmission;
}

/** Starts a run for whoever asks: API, webhook, schedule. Returns once it is durable. */
export async function startRun(
  { db, admission }: Pick<StartContext, "db" | "admission">,
  organizationId: string,
  run: NewRun,
): Promise<RunStart> {
  return toRunStart(db, organizationId, run, await admission.admit(organizationId, run));
}

/** The same for a run that goes on from another one; those of its sub-flows come with it. */
export async function startFork(
  { db, admission }: Pick<StartContext, "db" | "admission">,
  organizationId: string,
  forks: readonly Fork[],
): Promise<RunStart> {
  const { run, fromRunId } = forks[0]!;
  const { outcome, runId } = await admission.fork(organizationId, forks);
  if (outcome === "gone" || runId === null)
    throw new Refusal("run_not_found", { messageParams: { runId: fromRunId } });
  return toRunStart(db, organizationId, run, { outcome, runId });
}

function toRunStart(
  db: Db,
  organizationId: string,
  run: NewRun,
  { outcome, runId }: Pick<Admission, "outcome" | "runId">,
): RunStart | Promise<RunStart> {
  const fresh = {
    runId,
    organizationId,
    flowId: run.flowId,
    status: "WAITING",
    replayed: false,
    createdAt: new Date(idTimeMs(runId)),
  };
  switch (outcome) {
    case "claimed":
    case "admitted":
    case "delayed":
      return { ...fresh, queued: false, answeredQueued: false };
    case "queued":
      return { ...fresh, queued: true, answeredQueued: true };
    case "no_credits":
      throw new Refusal("insufficient_credits");
    case "queue_full":
      throw new Refusal("queue_limit_reached", { retryAfterSeconds: 5 });
    case "known":
      return asAnswered(db, fresh);
    case "replayed":
      return answerOf(db, organizationId, runId);
  }
}

/** It was made by an earlier attempt of this very statement. */
async function asAnswered(db: Db, fresh: Omit<RunStart, "queued" | "answeredQueued">): Promise<RunStart> {
  const { answeredQueued = false } = (await findRunState(db, fresh.organizationId, fresh.runId)) ?? {};
  return { ...fresh, queued: answeredQueued, answeredQueued };
}

async function answerOf(db: Db, organizationId: string, runId: string): Promise<RunStart> {
  const known = await replay(db, organizationId, runId);
  if (!known) throw new Error(`The run ${runId} of an idempotency key is gone.`);
  return known;
}

/** The run an idempotency key was used for before, as it is now. */
export async function findReplay(
  { db }: Pick<StartContext, "db">,
  organizationId: string,
  idempotency: NonNullable<NewRun["idempotency"]>,
): Promise<RunStart | undefined> {
  const runId = await findIdempotentRun(db, organizationId, idempotency);
  return runId === undefined ? undefined : replay(db, organizationId, runId);
}

async function replay(db: Db, organizationId: string, runId: string): Promise<RunStart | undefined> {
  const state = await findRunState(db, organizationId, runId);
  if (!state) return undefined;
  const { flowId, status, inQueue, answeredQueued } = state;
  return {
    runId,
    organizationId,
    flowId,
    status,
    queued: inQueue,
    answeredQueued,
    replayed: true,
    createdAt: new Date(idTimeMs(runId)),
  };
}
