import type { ChangedRun } from "../domain/changed-run.ts";
import { freshCache } from "../domain/fresh-cache.ts";
import { JsonText } from "../domain/json-text.ts";
import { type ClaimedRun, retryDelayMs } from "../domain/run.ts";
import { GroupCommit } from "../storage/group-commit.ts";
import type { Pool } from "../storage/pool.ts";
import { retryWrite } from "../storage/retry.ts";
import { type Checkpoint, checkpointRuns } from "../storage/runs/checkpoint-runs.ts";
import { type Finish, finishPlainRuns, finishRuns, type FinishResult } from "../storage/runs/finish-runs.ts";
import { findRunVariables } from "../storage/runs/find-run-variables.ts";
import { findRunStart } from "../storage/runs/find-run-start.ts";
import { findInterruption, keepInterrupted } from "../storage/runs/keep-interrupted.ts";
import { loadCheckpoints } from "../storage/runs/load-checkpoints.ts";
import { type Pause, pauseRun } from "../storage/runs/pause-run.ts";
import type { RecordToStore } from "../storage/runs/record-text.ts";
import { giveUpRun } from "../storage/runs/reap-runs.ts";
import { releaseRuns } from "../storage/runs/release-runs.ts";
import { retryRun } from "../storage/runs/retry-run.ts";
import type { EngineMetrics } from "../telemetry/metrics.ts";
import { Fenced } from "./fenced.ts";
import type { NodeRecord, RunError } from "./flow-runner/run-types.ts";
import type { RecordOnItsWay } from "./write-large.ts";

export interface RunWriterOptions {
  readonly pool: Pool;
  readonly processId: string;
  /** After each commit: what changed, and whether runs of the organization wait for a slot that may be free now. */
  readonly onChanged: (changed: readonly ChangedRun[]) => void;
  readonly onSlotFree: (organizationId: string) => void;
  /** Runs that waited for others have ended. */
  readonly onOrphans: () => void;
  readonly metrics?: Pick<EngineMetrics, "groupCommits" | "epochsLost"> | undefined;
}

/** What came out of a run, whatever its end. */
export interface RunEnding {
  readonly records: readonly RecordOnItsWay[];
  readonly cost: number;
  readonly hasChildren: boolean;
  readonly outputMark?: string | undefined;
}

// The worker gives itself up before its lease ends; trying any longer could only fail.
const RETRY_FOR_MS = 10_000;
const NOT_PLAIN_MS = 5_000;
const MAX_NOT_PLAIN = 10_000;
const MANY = { maxItems: 250, maxUnderWay: 2 };
const ONE_BY_ONE = { maxItems: 1, maxUnderWay: 2 };

/** Everything a worker writes about its runs; one verb per outcome, each fenced, the frequent ones in batches. */
export class RunWriter {
  readonly #options: RunWriterOptions;
  readonly #notPlain = freshCache<true>({
    maxEntries: MAX_NOT_PLAIN,
    freshMs: NOT_PLAIN_MS,
    clock: performance,
  });
  readonly #finishes: GroupCommit<Finish, FinishResult>;
  readonly #checkpoints: GroupCommit<Checkpoint, boolean>;
  /** What is large goes by itself: those who share a batch wait for all of it. */
  readonly #largeFinishes: GroupCommit<Finish, FinishResult>;
  readonly #largeCheckpoints: GroupCommit<Checkpoint, boolean>;

  constructor(options: RunWriterOptions) {
    this.#options = options;
    const { pool, metrics } = options;
    const finish = (items: Finish[]) => {
      metrics?.groupCommits.observe(items.length, "finish");
      return this.#flushFinishes(items);
    };
    const checkpoint = (items: Checkpoint[]) => {
      metrics?.groupCommits.observe(items.length, "checkpoint");
      return retryWrite(() => checkpointRuns(pool, items), { forMs: RETRY_FOR_MS });
    };
    this.#finishes = new GroupCommit(finish, MANY);
    this.#checkpoints = new GroupCommit(checkpoint, MANY);
    this.#largeFinishes = new GroupCommit(finish, ONE_BY_ONE);
    this.#largeCheckpoints = new GroupCommit(checkpoint, ONE_BY_ONE);
  }

  load(run: ClaimedRun) {
    return retryWrite(() => loadCheckpoints<NodeRecord>(this.#options.pool, run.organizationId, run.id), {
      forMs: RETRY_FOR_MS,
    });
  }

  /** When a run was started for the first time. */
  findStart({ organizationId, id }: ClaimedRun) {
    return retryWrite(() => findRunStart(this.#options.pool, organizationId, id), { forMs: RETRY_FOR_MS });
  }

  /** Of its organization, as they were when it was made. */
  findVariables({ organizationId, id }: ClaimedRun) {
    return retryWrite(() => findRunVariables(this.#options.pool, organizationId, id), {
      forMs: RETRY_FOR_MS,
    });
  }

  async checkpoint(
    { organizationId, id, epoch }: ClaimedRun,
    { records, isNew }: Pick<Checkpoint, "isNew"> & { records: readonly RecordOnItsWay[] },
  ): Promise<void> {
    const checkpoints = areLarge(records) ? this.#largeCheckpoints : this.#checkpoints;
    const kept = await checkpoints.add({ organizationId, runId: id, epoch, records, isNew });
    if (!kept) throw new Fenced(`run ${id} is no longer at epoch ${epoch}`);
  }

  complete(run: ClaimedRun, ending: RunEnding, output: unknown): Promise<unknown> {
    return this.#finish({ ...toFinish(run, ending, "COMPLETED"), output });
  }

  /**
   * A failed run goes back for another attempt while it has one, unless that is how the flow wanted to end. True where it
   * has ended.
   */
  async fail(
    run: ClaimedRun,
    ending: RunEnding,
    { error, isDeliberate }: { readonly error: RunError; readonly isDeliberate: boolean },
  ): Promise<boolean> {
    const { organizationId, id, epoch, attempt } = run;
    const retry = {
      organizationId,
      id,
      epoch,
      delayMs: retryDelayMs(attempt, Math.random()),
      records: ending.records,
    };
    if (
      !isDeliberate &&
      (await retryWrite(() => retryRun(this.#options.pool, retry), { forMs: RETRY_FOR_MS }))
    ) {
      this.#left(run);
      return false;
    }
    await this.#finish({ ...toFinish(run, ending, "FAILED"), error });
    return true;
  }

  async timeOut(run: ClaimedRun, ending: RunEnding): Promise<void> {
    const error = { name: "TimedOut", message: "The run exceeded its maxDuration." };
    await this.#finish({ ...toFinish(run, ending, "TIMED_OUT"), error });
  }

  /** How a run that is not this process's any more was ended by somebody else, if it was. */
  findInterruption(run: ClaimedRun) {
    return findInterruption(this.#options.pool, run);
  }

  async keepInterrupted(run: ClaimedRun, records: readonly RecordOnItsWay[]): Promise<void> {
    await keepInterrupted(this.#options.pool, { ...identity(run), records });
  }

  async pause(
    run: ClaimedRun,
    { waits, records }: { waits: Pause["waits"]; records: readonly RecordOnItsWay[] },
  ): Promise<void> {
    const { pool } = this.#options;
    await retryWrite(() => pauseRun(pool, { ...identity(run), records, waits }), { forMs: RETRY_FOR_MS });
    this.#left(run);
  }

  /** Back to the other workers, with what was done so far. */
  async release(run: ClaimedRun, records: readonly RecordOnItsWay[]): Promise<void> {
    const { pool, processId } = this.#options;
    if (records.length > 0)
      await checkpointRuns(pool, [
        { organizationId: run.organizationId, runId: run.id, epoch: run.epoch, records, isNew: false },
      ]);
    await releaseRuns(pool, processId, [run]);
    this.#left(run);
  }

  /** Nothing came out of it, and not for want of a database. */
  async giveUp(run: ClaimedRun): Promise<void> {
    await giveUpRun(this.#options.pool, run);
    this.#left(run);
  }

  #finish(finish: Finish): Promise<unknown> {
    const isLarge = finish.output instanceof JsonText || areLarge(finish.nodes);
    return (isLarge ? this.#largeFinishes : this.#finishes).add(finish);
  }

  async #flushFinishes(items: readonly Finish[]): Promise<FinishResult[]> {
    const results = await retryWrite(() => this.#finishAll(items), { forMs: RETRY_FOR_MS });
    const finished = items.filter((_, at) => results[at]?.finished);
    this.#options.onChanged(finished);
    this.#options.metrics?.epochsLost.inc(items.length - finished.length);
    const waiting = items
      .filter((_, at) => results[at]?.queueWaits)
      .map(({ organizationId }) => organizationId);
    for (const organizationId of new Set(waiting)) this.#options.onSlotFree(organizationId);
    if (items.some(({ hasChildren }) => hasChildren)) this.#options.onOrphans();
    return results;
  }

  /** The plain way first, unless an organization of the batch was found to need the other one a moment ago. */
  async #finishAll(items: readonly Finish[]): Promise<FinishResult[]> {
    const { pool } = this.#options;
    const isPlain = ({ organizationId, hasChildren }: Finish) =>
      !hasChildren && !this.#notPlain.has(organizationId);
    const plain = items.filter(isPlain);
    const results = new Map<Finish, FinishResult>();
    if (plain.length > 0) {
      (await finishPlainRuns(pool, plain)).forEach((result, at) => results.set(plain[at]!, result));
    }
    const rest = items.filter((item) => !results.get(item)?.finished);
    if (rest.length > 0) {
      (await finishRuns(pool, rest)).forEach((result, at) => results.set(rest[at]!, result));
      for (const { organizationId } of rest) this.#notPlain.set(organizationId, true);
    }
    return items.map((item) => results.get(item)!);
  }

  #left(run: ClaimedRun): void {
    this.#options.onChanged([run]);
    this.#options.onSlotFree(run.organizationId);
  }
}

function areLarge(records: readonly RecordToStore[]): boolean {
  return records.some(({ written }) => written !== undefined);
}

function toFinish(
  { organizationId, id, epoch }: ClaimedRun,
  { records, cost, hasChildren, outputMark }: RunEnding,
  status: Finish["status"],
): Finish {
  return { organizationId, id, epoch, status, nodes: records, cost, hasChildren, outputMark };
}

function identity({ organizationId, id, epoch }: ClaimedRun) {
  return { organizationId, id, epoch };
}
