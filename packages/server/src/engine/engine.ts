import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { ChangedRun } from "../domain/changed-run.ts";
import type { IdMaker } from "../domain/ids.ts";
import type { RunningDuty, Duty } from "../lifecycle/duty.ts";
import type { SharedMemory } from "../lifecycle/shared-memory.ts";
import type { FlowLibrary } from "../operations/flows/flow-library.ts";
import { heartbeat, leave, type ProcessRow } from "../storage/processes/processes.ts";
import { dispatchRuns } from "../storage/runs/dispatch-runs.ts";
import { claimRuns } from "../storage/runs/claim-runs.ts";
import { releaseRuns } from "../storage/runs/release-runs.ts";
import type { Pool } from "../storage/pool.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { EngineMetrics } from "../telemetry/metrics.ts";
import type { ExecutorParts } from "./executor.ts";
import { RunWriter } from "./run-writer.ts";
import { WaitDesk } from "./wait-desk.ts";
import { Worker } from "./worker.ts";

export interface EngineOptions {
  readonly pool: Pool;
  readonly ids: IdMaker;
  readonly library: FlowLibrary;
  readonly nowMs: () => number;
  readonly readClock: () => Promise<number>;
  readonly logger: Logger;
  readonly capacity: number;
  /** What its runs may hold together. */
  readonly memory: SharedMemory;
  /** A fresh one for every start: nobody ever recovers work "by name". */
  readonly processId: string;
  readonly role: string;
  readonly version: string;
  readonly executor: Omit<ExecutorParts, "library" | "writer" | "desk" | "beforeEffect">;
  readonly startDuty: (duty: Duty) => RunningDuty;
  /** Runs of this process have changed; streams and other processes want to know. */
  readonly onChanged: (changed: readonly ChangedRun[]) => void;
  readonly metrics?: EngineMetrics;
}

const HEARTBEAT_MS = 1_000;
const SELF_FENCE_MS = 10_000;
const CANCEL_POLL_MS = 1_000;
const CLAIM_POLL_MS = 1_000;
/** Whoever has not heard for so long that its runs are still its own begins no effect: they may have been canceled. */
const MAX_SILENCE_MS = 2_000;

/** The executing half of a process: its worker, its identity among the others, and how it gets its runs. */
export class Engine {
  readonly process: ProcessRow;
  readonly worker: Worker;
  readonly #options: EngineOptions;
  readonly #dispatching = new Map<string, Promise<void>>();
  readonly #dispatchAgain = new Set<string>();
  readonly #desk: WaitDesk;
  #claims: RunningDuty | undefined;
  #answers: RunningDuty | undefined;
  #nextHeartbeat = Promise.withResolvers<void>();
  #lastHeartbeatMs = performance.now();

  constructor(options: EngineOptions) {
    this.#options = options;
    const { role, version } = options;
    this.process = {
      id: options.processId,
      lockKey: randomBytes(6).readUIntBE(0, 6),
      role,
      version,
      host: hostname(),
      pid: process.pid,
    };
    this.#desk = new WaitDesk({
      ...options,
      dispatch: (organizationId) => this.dispatch(organizationId),
      stopRuns: (runIds) => this.worker.stopRuns(runIds),
    });
    const writer = new RunWriter({
      ...options,
      processId: this.process.id,
      onSlotFree: (organizationId) => this.dispatch(organizationId),
      onOrphans: () => this.cancelChildren(),
    });
    this.worker = new Worker({
      parts: {
        ...options.executor,
        metrics: options.metrics,
        library: options.library,
        writer,
        desk: this.#desk,
        beforeEffect: () => this.#beforeEffect(),
      },
      capacity: options.capacity,
      memory: options.memory,
      logger: options.logger,
      onRoom: () => {
        if (this.#full) this.#claims?.wake();
        this.#full = false;
      },
    });
  }

  #full = false;

  async start(): Promise<void> {
    await this.#beat();
    this.#options.startDuty({
      name: "heartbeat",
      intervalMs: HEARTBEAT_MS,
      runOnce: () => this.#beatOrFence(),
    });
    this.#claims = this.#options.startDuty({
      name: "claim",
      intervalMs: CLAIM_POLL_MS,
      runOnce: () => this.#claim(),
    });
    this.#answers = this.#options.startDuty(this.#desk.duty);
    this.#options.startDuty({
      name: "cancel-children",
      intervalMs: CANCEL_POLL_MS,
      runOnce: () => this.#desk.cancelChildren(),
    });
  }

  /** After the duties have stopped: what was claimed meanwhile is given back before this process is no more. */
  async signOff(): Promise<void> {
    while (this.#dispatching.size > 0) await Promise.all(this.#dispatching.values());
    await this.worker.drain(0);
    await leave(this.#options.pool, this.process.id);
  }

  /** Somebody hints at new work. */
  wake(): void {
    this.#claims?.wake();
  }

  /** Something has changed that runs of this process may wait for. */
  hear(): void {
    if (this.#desk.isWatching) this.#answers?.wake();
  }

  /** Runs have ended while they waited for others. */
  cancelChildren(): void {
    this.#desk.cancelChildren().catch((error: unknown) => {
      // The duty's own round finds them.
      this.#options.logger.warn({ err: error }, "children could not be canceled at once");
    });
  }

  /** A Promise of the next heartbeat where the last one is too long ago. */
  #beforeEffect(): Promise<void> | undefined {
    if (performance.now() - this.#lastHeartbeatMs <= MAX_SILENCE_MS) return undefined;
    return this.#nextHeartbeat.promise;
  }

  /** Fills free slots of an organization; one call at a time, and once more if asked meanwhile. */
  dispatch(organizationId: string): void {
    if (this.#dispatching.has(organizationId)) {
      this.#dispatchAgain.add(organizationId);
      return;
    }
    const dispatched = this.#dispatchOnce(organizationId).finally(() => {
      this.#dispatching.delete(organizationId);
      if (this.#dispatchAgain.delete(organizationId)) this.dispatch(organizationId);
    });
    this.#dispatching.set(organizationId, dispatched);
  }

  async #dispatchOnce(organizationId: string): Promise<void> {
    try {
      const runs = await dispatchRuns(
        this.#options.pool,
        organizationId,
        this.process.id,
        this.worker.room(organizationId),
      );
      this.worker.take(runs);
      this.#options.onChanged(runs);
      if (this.worker.room(organizationId) === 0) this.wake();
    } catch (error) {
      // The dispatcher's own round finds whoever still waits.
      this.#options.logger.warn({ err: error, organizationId }, "the queue could not be dispatched at once");
    }
  }

  async #claim(): Promise<void> {
    for (;;) {
      const free = this.worker.free();
      // Whoever has its share may have more ready: the next run that ends makes room for one.
      this.#full = this.worker.limitsSomebody;
      if (free === 0) return;
      // Each organization gets the same share of a round; what one does not need is for the others in the next.
      const runs = await claimRuns(this.#options.pool, this.process.id, free, this.worker.rooms());
      if (runs.length === 0) return;
      this.worker.take(runs);
      this.#options.onChanged(runs);
    }
  }

  /** A process that cannot reach the database stops its runs before others take them over. */
  async #beatOrFence(): Promise<void> {
    const leftMs = () => this.#lastHeartbeatMs + SELF_FENCE_MS - performance.now();
    // Not only when the heartbeat fails: in a network that swallows it the answer just never comes.
    const fence = setTimeout(() => this.worker.stopAll(), Math.max(0, leftMs()));
    try {
      await this.#beat();
    } catch (error) {
      if (leftMs() <= 0) this.worker.stopAll();
      throw error;
    } finally {
      clearTimeout(fence);
    }
  }

  async #beat(): Promise<void> {
    const askedAtMs = performance.now();
    const local = new Map(this.worker.owned().map((run) => [run.id, run]));
    const { owned } = await heartbeat(this.#options.pool, this.process);
    this.#lastHeartbeatMs = askedAtMs;
    const beaten = this.#nextHeartbeat;
    this.#nextHeartbeat = Promise.withResolvers();
    const epochs = new Map(owned.map(({ id, epoch }) => [id, epoch]));
    this.worker.stopRuns(
      [...local.values()].filter(({ id, epoch }) => epochs.get(id) !== epoch).map(({ id }) => id),
    );
    beaten.resolve();
    // Owned but not run here: an answer got lost. After a few seconds it cannot be on its way any more.
    const strays = owned.filter(
      ({ id, settled }) => settled && !local.has(id) && !this.worker.owned().some((run) => run.id === id),
    );
    if (strays.length > 0) {
      await releaseRuns(this.#options.pool, this.process.id, strays);
      this.wake();
    }
  }
}
