import { eventLoop } from "../../lifecycle/event-loop.ts";
import type { ClaimedRun } from "../../domain/run.ts";
import { GroupCommit } from "../../storage/group-commit.ts";
import { freshCache } from "../../domain/fresh-cache.ts";
import type { NewRun } from "../../domain/new-run.ts";
import { type Admission, admitRuns, type RunToAdmit, toAdmitInTurn } from "../../storage/runs/admit-runs.ts";
import type { Db } from "../../storage/pool.ts";
import { retryWrite } from "../../storage/retry.ts";
import { type Fork, type ForkOutcome, forkRuns } from "../../storage/forks/fork-runs.ts";

/** The worker of this process, as far as admission knows it; API processes have none. */
export interface LocalWorker {
  /** How many runs of an organization it would begin right now. */
  room(organizationId: string): number;
  take(runs: readonly ClaimedRun[]): void;
}

interface QueueCount {
  readonly size: number;
  readonly countedAtMs: number;
}

const MAX_IN_A_BATCH = 250;
// Counting takes about as long as the queue is: a long one is counted less often.
const COUNT_FRESH_MS = 200;
const COUNT_FRESH_MS_PER_ITEM = 0.01;
const MAX_COUNTS = 10_000;
// A caller hears "unavailable" within three seconds; until then the batch is tried again.
const RETRY_FOR_MS = 2_000;

/**
 * Triggers of one organization go to the database as one statement at a time: the organization's lock lets
 * only one through anyway, and those that arrive meanwhile share the next commit.
 */
export class RunAdmission {
  readonly #db: Db;
  readonly #processId: string;
  readonly #worker: LocalWorker | undefined;
  readonly #onAdmitted: (organizationId: string, admissions: readonly Admission[]) => void;
  readonly #batches = new Map<string, GroupCommit<RunToAdmit, Admission>>();
  readonly #queues = freshCache<QueueCount>({
    maxEntries: MAX_COUNTS,
    freshMs: COUNT_FRESH_MS,
    clock: performance,
  });

  constructor(options: {
    db: Db;
    processId: string;
    worker: LocalWorker | undefined;
    onAdmitted: (organizationId: string, admissions: readonly Admission[]) => void;
  }) {
    this.#db = options.db;
    this.#processId = options.processId;
    this.#worker = options.worker;
    this.#onAdmitted = options.onAdmitted;
  }

  async admit(organizationId: string, run: NewRun): Promise<Admission> {
    eventLoop.notice(organizationId);
    const toWrite = toAdmitInTurn(run, () => eventLoop.giveWay(organizationId));
    const written = toWrite instanceof Promise ? await toWrite : toWrite;
    let batch = this.#batches.get(organizationId);
    if (!batch) {
      batch = new GroupCommit((runs) => this.#flush(organizationId, runs), {
        maxItems: MAX_IN_A_BATCH,
        maxUnderWay: 1,
        sizeOf: ({ texts }) => lengthOf(texts),
      });
      this.#batches.set(organizationId, batch);
    }
    try {
      return await batch.add(written);
    } finally {
      if (batch.idle) this.#batches.delete(organizationId);
    }
  }

  /** By itself: it copies what may be large. Whoever claims it reads what was copied, so it is not born claimed. */
  async fork(organizationId: string, forks: readonly Fork[]): Promise<ForkOutcome> {
    const fork = { organizationId, processId: this.#processId, forks };
    const outcome = await retryWrite((again) => forkRuns(this.#db, { ...fork, again }), {
      forMs: RETRY_FOR_MS,
    });
    if (outcome.outcome === "admitted" || outcome.outcome === "queued")
      this.#onAdmitted(
        organizationId,
        forks.map(({ run }) => ({ outcome: "admitted", runId: run.id, queueSize: null })),
      );
    return outcome;
  }

  async #flush(organizationId: string, runs: readonly RunToAdmit[]): Promise<Admission[]> {
    // A count of a moment ago is good enough while the queue is short; near its limit the database counts again.
    const known = this.#queues.get(organizationId);
    const admissions = await retryWrite(
      (again) =>
        admitRuns(this.#db, {
          organizationId,
          processId: this.#processId,
          claim: this.#worker?.room(organizationId) ?? 0,
          queueKnown: known?.size,
          again,
          runs,
        }),
      { forMs: RETRY_FOR_MS },
    );
    const size = admissions.at(-1)?.queueSize;
    // What this process adds it knows; what others add and take away only a new count tells.
    if (size !== null && size !== undefined) {
      const countedAtMs = known?.countedAtMs ?? performance.now();
      const ttl = COUNT_FRESH_MS + size * COUNT_FRESH_MS_PER_ITEM;
      this.#queues.set(organizationId, { size, countedAtMs }, { start: countedAtMs, ttl });
    }
    this.#begin(organizationId, runs, admissions);
    this.#onAdmitted(organizationId, admissions);
    return admissions;
  }

  /** Born claimed: what the statement gave to this process begins here, without asking for it again. */
  #begin(organizationId: string, runs: readonly RunToAdmit[], admissions: readonly Admission[]): void {
    const claimed = runs.filter((_, at) => admissions[at]?.outcome === "claimed");
    if (claimed.length === 0) return;
    this.#worker?.take(
      claimed.map(({ run, texts }) => ({
        organizationId,
        id: run.id,
        flowId: run.flowId,
        version: run.version,
        epoch: 1,
        attempt: 1,
        remainingMs: run.maxDurationMs,
        depth: run.depth,
        data: run.data as ClaimedRun["data"],
        inputs: run.inputs as ClaimedRun["inputs"],
        trigger: run.trigger as ClaimedRun["trigger"],
        payloadLength: lengthOf(texts),
      })),
    );
  }
}

function lengthOf({ data, inputs, trigger }: RunToAdmit["texts"]): number {
  return (data?.length ?? 0) + (inputs?.length ?? 0) + (trigger?.length ?? 0);
}
