import { idempotencyOf, newRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import { MAX_DEPTH, tooDeep } from "../../domain/run.ts";
import { findFailures, type NotedFailure } from "../../storage/failures/find-failures.ts";
import { forgetFailure, postponeFailure } from "../../storage/failures/settle-failure.ts";
import { runnableFlow } from "../runs/runnable-flow.ts";
import { type StartContext, startRun } from "../runs/start-run.ts";

export interface FailureContext extends StartContext {
  readonly now: () => Date;
  /** A flow that could not be started for a failed run, and why. */
  readonly onSkipped: (failure: NotedFailure, error: unknown) => void;
}

/** No credits and a full queue pass, as does whatever is no refusal; they are waited for, but not for ever. */
const PASSING = new Set<Refusal["code"]>(["insufficient_credits", "queue_limit_reached"]);
const AGAIN_AFTER_MS = 30_000;
const GIVE_UP_AFTER_MS = 86_400_000;

/**
 * Starts what flows name as `onFailure`. The failed run is the new run's idempotency key, so however many processes try, and
 * however often one of them dies half-way, there is one run for each failed one.
 */
export async function startFailureFlows(context: FailureContext): Promise<void> {
  for (const failure of await findFailures(context.db)) {
    try {
      await startFor(context, failure);
    } catch (error) {
      const mayPass = !(error instanceof Refusal) || PASSING.has(error.code);
      const isOld = context.now().getTime() - failure.notedAt.getTime() > GIVE_UP_AFTER_MS;
      if (mayPass && !isOld) {
        // One that cannot be started now holds up no other.
        await postponeFailure(context.db, failure, AGAIN_AFTER_MS);
        continue;
      }
      context.onSkipped(failure, error);
    }
    await forgetFailure(context.db, failure);
  }
}

async function startFor(context: FailureContext, failure: NotedFailure): Promise<void> {
  const { organizationId, handlerId, runId, flowId, depth, isTest, error } = failure;
  // A flow that is started for a failure may call the one that failed: that must end somewhere.
  if (depth + 1 > MAX_DEPTH) return context.onSkipped(failure, new Error(tooDeep(handlerId).message));
  const body = { runId, flowId, error: error ?? { name: "RunFailed", message: "The run failed." } };
  const { flow, version } = await runnableFlow(context.library, organizationId, handlerId, body);
  const run = newRun(context.ids, flow, version, {
    triggerSource: "subflow",
    depth: depth + 1,
    isTest,
    idempotency: idempotencyOf("failure", handlerId, runId),
    trigger: { body },
  });
  await startRun(context, organizationId, run);
}
