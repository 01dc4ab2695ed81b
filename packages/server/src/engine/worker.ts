import { FairShare, type SharedRoom } from "../domain/fair-share.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import type { SharedMemory } from "../lifecycle/shared-memory.ts";
import type { ClaimedRun } from "../domain/run.ts";
import { isDatabaseUnavailable } from "../storage/pool.ts";
import type { Logger } from "../telemetry/logger.ts";
import { executeRun, type ExecutorParts } from "./executor.ts";
import { Leaving } from "./leaving.ts";
import { WorkerMemory } from "./run-memory.ts";
import { RunStop } from "./run-stop.ts";

interface LocalRun {
  readonly run: ClaimedRun;
  readonly stop: RunStop;
  readonly done: Promise<void>;
  /** By the process's monotonic clock. */
  readonly deadlineMs: number;
}

/** Runs whose end is just being written take no capacity, but there is an end to that too. */
const MAX_WRITING_SHARE = 8;
const DEADLINE_CHECK_MS = 100;
/** So long after a process was told to stop, what still works is given back: half a minute after it, the process is gone. */
export const DRAIN_MS = 25_000;

/**
 * Executes the runs of this process: as many at once as it has capacity, shared between organizations, each until its end
 * or until it is stopped.
 */
export class Worker {
  readonly #parts: ExecutorParts;
  readonly #places: FairShare;
  readonly #logger: Logger;
  readonly #runs = new Map<string, LocalRun>();
  readonly #onRoom: () => void;
  readonly #deadlines: NodeJS.Timeout;
  readonly #leaving = new Leaving();
  readonly #memory: WorkerMemory;

  constructor(options: {
    parts: ExecutorParts;
    capacity: number;
    memory: SharedMemory;
    logger: Logger;
    onRoom: () => void;
  }) {
    this.#memory = new WorkerMemory(options.memory);
    this.#parts = options.parts;
    this.#places = new FairShare(options.capacity);
    this.#logger = options.logger;
    this.#onRoom = options.onRoom;
    // One timer for all runs: most of them are gone before a timer of their own would have been worth making.
    this.#deadlines = setInterval(() => this.#stopLateRuns(), DEADLINE_CHECK_MS);
    this.#deadlines.unref();
  }

  get size(): number {
    return this.#runs.size;
  }

  /** What may be claimed now, by all organizations together. */
  free(): number {
    return Math.min(this.#within(this.#places.free), this.#memory.mostAtOnce);
  }

  /** What one organization may begin now. */
  room(organizationId: string): number {
    return Math.min(this.#within(this.#places.roomFor(organizationId)), this.#memory.roomFor(organizationId));
  }

  rooms(): SharedRoom {
    return this.#memory.limit(this.#places.rooms());
  }

  /** Whether runs may have to wait although others are executed. */
  get limitsSomebody(): boolean {
    return this.free() === 0 || this.#places.limitsSomebody || this.rooms().rooms.includes(0);
  }

  #within(places: number): number {
    if (this.#leaving.isAsked) return 0;
    const beforeTooManyWrite = this.#places.capacity * MAX_WRITING_SHARE - this.#runs.size;
    return Math.max(0, Math.min(places, beforeTooManyWrite));
  }

  take(runs: readonly ClaimedRun[]): void {
    for (const run of runs) {
      const stop = new RunStop();
      // Asked for before the worker was told to stop, and answered afterwards: it goes straight back.
      if (this.#leaving.isAsked) stop.stop("released");
      const done = this.#execute(run, stop);
      this.#runs.set(run.id, { run, stop, done, deadlineMs: performance.now() + run.remainingMs });
    }
  }

  async #execute(run: ClaimedRun, stop: RunStop): Promise<void> {
    let holdsPlace = true;
    const memory = this.#memory.open(run);
    this.#places.hold(run.organizationId);
    eventLoop.notice(run.organizationId);
    const giveBack = () => {
      if (holdsPlace) this.#places.giveBack(run.organizationId);
      holdsPlace = false;
    };
    try {
      await executeRun(run, this.#parts, {
        stop,
        memory,
        leaving: this.#leaving,
        onExecuted: giveBack,
      });
    } catch (error) {
      this.#logger.error(
        {
          err: error,
          runId: run.id,
          organizationId: run.organizationId,
          ...this.#parts.tracer?.idsOf(run),
        },
        "a run could not be executed; it is given back",
      );
      // Where the database is away the row still says EXECUTING, and the next heartbeat gives it back.
      if (!isDatabaseUnavailable(error)) await this.#parts.writer.giveUp(run).catch(() => {});
    } finally {
      memory.close();
      giveBack();
      if (this.#runs.get(run.id)?.run === run) this.#runs.delete(run.id);
      this.#onRoom();
    }
  }

  #stopLateRuns(): void {
    const nowMs = performance.now();
    for (const { deadlineMs, stop } of this.#runs.values()) {
      if (deadlineMs <= nowMs) stop.stop("timed-out");
    }
  }

  /** Stops runs that are no longer this process's: ended, cancelled or taken over. */
  stopRuns(runIds: Iterable<string>): void {
    for (const id of runIds) this.#runs.get(id)?.stop.stop("lost");
  }

  stopAll(): void {
    this.stopRuns(this.#runs.keys());
  }

  owned(): readonly ClaimedRun[] {
    return [...this.#runs.values()].map(({ run }) => run);
  }

  /**
   * Takes nothing more, gives back at once what only waits, lets what works end, and gives back the rest. None of it costs a
   * run an attempt.
   */
  async drain(waitMs: number): Promise<void> {
    this.#leaving.ask();
    const release = setTimeout(() => {
      for (const { stop } of this.#runs.values()) stop.stop("released");
    }, waitMs);
    while (this.#runs.size > 0) await Promise.all([...this.#runs.values()].map(({ done }) => done));
    clearTimeout(release);
    clearInterval(this.#deadlines);
  }
}
