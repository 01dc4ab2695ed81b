import type { ClaimedRun } from "../domain/run.ts";
import { isDatabaseUnavailable } from "../storage/pool.ts";
import type { Logger } from "../telemetry/logger.ts";
import { executeRun, type ExecutorParts, type StopReason } from "./executor.ts";

interface LocalRun {
  readonly run: ClaimedRun;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Above this share of the capacity runs are claimed in turn by organization, not taken straight from the trigger. */
const DIRECT_SHARE = 0.75;
const DRAIN_MS = 25_000;

/** Executes the runs of this process: as many at once as it has capacity, each until its end or until it is stopped. */
export class Worker {
  readonly #parts: ExecutorParts;
  readonly #capacity: number;
  readonly #logger: Logger;
  readonly #runs = new Map<string, LocalRun>();
  readonly #onRoom: () => void;
  #stopping = false;

  constructor(options: { parts: ExecutorParts; capacity: number; logger: Logger; onRoom: () => void }) {
    this.#parts = options.parts;
    this.#capacity = options.capacity;
    this.#logger = options.logger;
    this.#onRoom = options.onRoom;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** What may be claimed now, for all organizations in turn. */
  free(): number {
    return this.#stopping ? 0 : this.#capacity - this.#runs.size;
  }

  /** What one organization may begin directly. */
  room(): number {
    return this.#stopping ? 0 : Math.max(0, Math.floor(this.#capacity * DIRECT_SHARE) - this.#runs.size);
  }

  take(runs: readonly ClaimedRun[]): void {
    for (const run of runs) {
      const stop = new AbortController();
      const done = this.#execute(run, stop);
      this.#runs.set(run.id, { run, stop, done });
      void done.finally(() => {
        if (this.#runs.get(run.id)?.run === run) this.#runs.delete(run.id);
        this.#onRoom();
      });
    }
  }

  async #execute(run: ClaimedRun, stop: AbortController): Promise<void> {
    const timer = setTimeout(
      () => stop.abort("timed-out" satisfies StopReason),
      Math.min(Math.max(0, run.remainingMs), 2 ** 31 - 1),
    );
    try {
      await executeRun(run, this.#parts, stop.signal);
    } catch (error) {
      this.#logger.error(
        { err: error, runId: run.id, organizationId: run.organizationId },
        "a run could not be executed; it is given back",
      );
      // Where the database is away the row still says EXECUTING, and the next heartbeat gives it back.
      if (!isDatabaseUnavailable(error)) await this.#parts.writer.giveUp(run).catch(() => {});
    } finally {
      clearTimeout(timer);
    }
  }

  /** Stops runs that are no longer this process's: ended, cancelled or taken over. */
  stopRuns(runIds: Iterable<string>): void {
    for (const id of runIds) this.#runs.get(id)?.stop.abort("lost" satisfies StopReason);
  }

  stopAll(): void {
    this.stopRuns(this.#runs.keys());
  }

  owned(): readonly ClaimedRun[] {
    return [...this.#runs.values()].map(({ run }) => run);
  }

  /** Takes nothing more, lets what runs end, and gives back the rest without costing it an attempt. */
  async drain(waitMs = DRAIN_MS): Promise<void> {
    this.#stopping = true;
    const release = setTimeout(() => {
      for (const { stop } of this.#runs.values()) stop.abort("released" satisfies StopReason);
    }, waitMs);
    await Promise.all([...this.#runs.values()].map(({ done }) => done));
    clearTimeout(release);
  }
}
