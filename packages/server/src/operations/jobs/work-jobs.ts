import { forkBody } from "@millrace/contract/fork";
import { Refusal } from "../../domain/refusal.ts";
import { isTerminal } from "../../domain/run-status.ts";
import { findRunToFork } from "../../storage/forks/find-run-to-fork.ts";
import { listJobRuns } from "../../storage/jobs/find-job.ts";
import {
  claimJob,
  type ClaimedJob,
  type JobRunOutcome,
  leaveJob,
  noteOutcomes,
  stopJob,
} from "../../storage/jobs/work-on-job.ts";
import { cancelChildren } from "../../storage/runs/cancel-children.ts";
import { findRunOwner } from "../../storage/runs/find-run-owner.ts";
import { cancelRuns } from "../../storage/jobs/cancel-runs.ts";
import { forkKnownRun } from "../forks/fork-run.ts";
import type { ForkContext } from "../forks/make-fork.ts";
import type { CancelContext } from "../runs/cancel-run.ts";
import type { StartContext } from "../runs/start-run.ts";

export interface JobWorkContext extends StartContext, ForkContext, CancelContext {
  readonly processId: string;
}

const RUNS_AT_ONCE = 16;
const RUNS_A_PAGE = 64;
/** Then the next job has its turn. */
const PAGES_A_TURN = 16;
const MAX_TURNS = 64;

/**
 * Works on the jobs of all organizations in turn, until there is nothing left to do for now. What became of a run is
 * written down behind it: after a crash the same run is asked for the same thing again, which changes nothing.
 */
export async function workJobs(context: JobWorkContext, signal: AbortSignal): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS && !signal.aborted; turn += 1) {
    const job = await claimJob(context.db, context.processId);
    if (!job) return;
    const hasRoom = await workOn(context, job, signal);
    await leaveJob(context.db, job, context.processId);
    if (!hasRoom) return;
  }
}

/** False where the queue is full: it has to be tried again later. */
async function workOn(context: JobWorkContext, job: ClaimedJob, signal: AbortSignal): Promise<boolean> {
  const { db, processId } = context;
  for (let page = 0; page < PAGES_A_TURN && !signal.aborted; page += 1) {
    const pending = await listJobRuns(db, job, { state: "pending", size: RUNS_A_PAGE });
    if (pending.length === 0) return true;
    const atOnce = job.action === "cancel" ? RUNS_A_PAGE : RUNS_AT_ONCE;
    for (let at = 0; at < pending.length && !signal.aborted; at += atOnce) {
      const some = pending.slice(at, at + atOnce).map(({ runId }) => runId);
      const outcomes = await outcomesOf(context, job, some);
      const known = outcomes.filter((one) => typeof one !== "string");
      const goesOn = await noteOutcomes(db, job, processId, known);
      if (job.action === "cancel") await tellChildren(context);
      if (outcomes.includes("no_credits")) {
        await stopJob(db, job.organizationId, job.id, "The organization has too few credits left.");
        return true;
      }
      if (!goesOn) return true;
      if (outcomes.includes("queue_full")) return false;
    }
  }
  return true;
}

type Halt = "queue_full" | "no_credits";

async function outcomesOf(
  context: JobWorkContext,
  job: ClaimedJob,
  runIds: readonly string[],
): Promise<(JobRunOutcome | Halt)[]> {
  if (job.action === "cancel") return cancel(context, job, runIds);
  return Promise.all(runIds.map((runId) => outcomeOf(context, job, runId)));
}

async function outcomeOf(
  context: JobWorkContext,
  job: ClaimedJob,
  runId: string,
): Promise<JobRunOutcome | Halt> {
  try {
    return await fork(context, job, runId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "queue_limit_reached") return "queue_full";
    if (error.code === "insufficient_credits") return "no_credits";
    const [issue] = error.details.issues ?? [];
    const [fault] = error.details.validationErrors ?? [];
    const detail = issue ? `${issue.path.join(".")} ${issue.message}` : fault;
    return { runId, state: "failed", message: detail ? `${error.code}: ${detail}` : error.code };
  }
}

/** All of them in one statement. */
async function cancel(
  { db, onCanceled }: JobWorkContext,
  { organizationId }: ClaimedJob,
  runIds: readonly string[],
): Promise<JobRunOutcome[]> {
  const found = new Map((await cancelRuns(db, organizationId, runIds)).map((run) => [run.id, run]));
  for (const { id, isCanceled } of found.values()) if (isCanceled) onCanceled(organizationId, id);
  const outcomes: JobRunOutcome[] = [];
  for (const runId of runIds) {
    const run = found.get(runId);
    // It ended in this very moment: how, is a question of its own.
    const isUnclear = run !== undefined && !run.isCanceled && !isTerminal(run.status);
    const status = isUnclear ? (await findRunOwner(db, [organizationId], runId))?.status : run?.status;
    // By this job before a crash, or by somebody else: it is what was asked for.
    if (run?.isCanceled || status === "CANCELED") outcomes.push({ runId, state: "done" });
    else
      outcomes.push({
        runId,
        state: "skipped",
        message: status ? `The run is ${status}.` : "The run is gone.",
      });
  }
  return outcomes;
}

async function tellChildren({ db, onCanceled }: JobWorkContext): Promise<void> {
  // Where that cannot be done here and now, a duty does it.
  for (const { organizationId, id } of await cancelChildren(db).catch(() => []))
    onCanceled(organizationId, id);
}

async function fork(
  context: JobWorkContext,
  { organizationId, id, action, fork: asked }: ClaimedJob,
  runId: string,
): Promise<JobRunOutcome> {
  const run = await findRunToFork(context.db, [organizationId], runId);
  if (!run) return { runId, state: "skipped", message: "The run is gone." };
  if (!isTerminal(run.status)) return { runId, state: "skipped", message: `The run is ${run.status}.` };
  const body = forkBody.parse({
    ...asked,
    ...(action === "retry" && { from: "failed" }),
    // So that each run is forked once, however often this is tried.
    idempotencyKey: id,
  });
  const { start } = await forkKnownRun(context, run, body);
  return { runId, state: "done", newRunId: start.runId };
}
