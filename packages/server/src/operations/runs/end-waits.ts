import { FairShare } from "../../domain/fair-share.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";
import type { RunWatch } from "./run-watch.ts";
import { untilEnded } from "./until-ended.ts";

export interface EndWaitsOptions {
  readonly db: Db;
  readonly watch: RunWatch;
  /** Requests of this process that wait at once, shared between organizations. */
  readonly maxWaiting: number;
}

export interface EndWait {
  readonly organizationId: string;
  readonly runId: string;
  readonly waitMs: number;
  /** Aborted where the caller is gone. */
  readonly gone: AbortSignal;
}

/** Requests that stay until a run has ended. They hear of it as streams do; nothing is asked again and again. */
export class EndWaits {
  readonly #options: EndWaitsOptions;
  readonly #places: FairShare;
  readonly #closing = new AbortController();

  constructor(options: EndWaitsOptions) {
    this.#options = options;
    this.#places = new FairShare(options.maxWaiting);
  }

  get waiting(): number {
    return this.#places.used;
  }

  /** Whether it ended in time. Where the organization has no place left nobody waits: the answer is that of a trigger. */
  async untilEnded({ organizationId, runId, waitMs, gone }: EndWait): Promise<boolean> {
    const { db, watch } = this.#options;
    if (!this.#places.take(organizationId)) return false;
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), waitMs);
    try {
      const run = await findRun(db, [organizationId], runId);
      if (!run) return false;
      return await untilEnded(watch, run, AbortSignal.any([timer.signal, gone, this.#closing.signal]));
    } finally {
      clearTimeout(timeout);
      this.#places.giveBack(organizationId);
    }
  }

  /** Whoever waits is answered as if the time were over. */
  close(): void {
    this.#closing.abort();
  }
}
