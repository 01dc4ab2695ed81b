import { idTimeMs } from "../../domain/ids.ts";
import type { NewRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findIdempotentRun } from "../../storage/runs/find-idempotent-run.ts";
import { findRunState } from "../../storage/runs/find-run-state.ts";
import type { Db } from "../../storage/pool.ts";
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

export interface StartRun {
  start(organizationId: string, run: NewRun): Promise<RunStart>;
  /** The run an idempotency key was used for before, as it is now. */
  findReplay(organizationId: string, idempotency: NewRun["idempotency"]): Promise<RunStart | undefined>;
}

/** Starts a run for whoever asks: API, webhook, schedule. Answers once it is durable. */
export function makeStartRun({ db, admission }: { db: Db; admission: RunAdmission }): StartRun {
  const replay = async (organizationId: string, runId: string): Promise<RunStart | undefined> => {
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
  };
  return {
    async findReplay(organizationId, idempotency) {
      if (!idempotency) return undefined;
      const runId = await findIdempotentRun(db, organizationId, idempotency);
      return runId === undefined ? undefined : replay(organizationId, runId);
    },
    async start(organizationId, run) {
      const { outcome, runId } = await admission.admit(organizationId, run);
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
        case "known": {
          const { answeredQueued = false } = (await findRunState(db, organizationId, runId)) ?? {};
          return { ...fresh, queued: answeredQueued, answeredQueued };
        }
        case "replayed": {
          const known = await replay(organizationId, runId);
          if (!known) throw new Error(`The run ${runId} of an idempotency key is gone.`);
          return known;
        }
      }
    },
  };
}
