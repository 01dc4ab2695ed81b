import { LRUCache } from "lru-cache";
import { upTo } from "../../domain/fresh-cache.ts";
import {
  countRateWindows,
  deleteRateWindows,
  type WindowUse,
} from "../../storage/auth/count-rate-windows.ts";
import type { Db } from "../../storage/pool.ts";

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly resetAtSeconds: number;
  readonly retryAfterSeconds: number;
}

interface Window {
  startedAtMs: number;
  readonly windowMs: number;
  /** By all processes, as far as this one knows. */
  used: number;
  /** Part of `used` that the others have not been told yet. */
  untold: number;
}

// A busy key is exchanged again after this share of its limit: that bounds how far all processes together overshoot.
const EXCHANGE_SHARE = 0.02;
const MAX_WINDOWS = 100_000;

/**
 * Fixed windows counted in memory; the processes tell each other their counts through the database in
 * batches. No request waits for that, and no request writes.
 */
export class RateLimiter {
  readonly #db: Db;
  readonly #nowMs: () => number;
  readonly #windows = new LRUCache<string, Window>(upTo(MAX_WINDOWS));
  readonly #untold = new Set<string>();
  #exchange: Promise<void> | undefined;
  #lastCleanUpMs = 0;

  constructor(db: Db, nowMs: () => number) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  /** Counts one use, or refuses it. */
  take(key: string, limit: number, windowMs: number): RateVerdict {
    const window = this.#window(key, windowMs);
    const allowed = window.used < limit;
    if (allowed) {
      window.used++;
      window.untold++;
      this.#untold.add(key);
      if (window.untold >= limit * EXCHANGE_SHARE) void this.exchange().catch(() => {});
    }
    return this.#verdict(window, limit, allowed);
  }

  /** How things stand, without counting or remembering anything. */
  peek(key: string, limit: number, windowMs: number): RateVerdict {
    const window = this.#current(key, windowMs) ?? this.#fresh(windowMs);
    return this.#verdict(window, limit, window.used < limit);
  }

  #verdict(window: Window, limit: number, allowed: boolean): RateVerdict {
    const endsAtMs = window.startedAtMs + window.windowMs;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - window.used),
      resetAtSeconds: Math.ceil(endsAtMs / 1000),
      retryAfterSeconds: Math.max(1, Math.ceil((endsAtMs - this.#nowMs()) / 1000)),
    };
  }

  #window(key: string, windowMs: number): Window {
    const known = this.#current(key, windowMs);
    if (known) return known;
    const fresh = this.#fresh(windowMs);
    this.#windows.set(key, fresh);
    return fresh;
  }

  #current(key: string, windowMs: number): Window | undefined {
    const known = this.#windows.get(key);
    return known?.startedAtMs === this.#startOf(windowMs) ? known : undefined;
  }

  #fresh(windowMs: number): Window {
    return { startedAtMs: this.#startOf(windowMs), windowMs, used: 0, untold: 0 };
  }

  #startOf(windowMs: number): number {
    return Math.floor(this.#nowMs() / windowMs) * windowMs;
  }

  /** One round of telling and hearing; a round that is under way is shared. */
  exchange(): Promise<void> {
    this.#exchange ??= this.#exchangeOnce().finally(() => {
      this.#exchange = undefined;
    });
    return this.#exchange;
  }

  async #exchangeOnce(): Promise<void> {
    const told = new Map<string, WindowUse>();
    for (const key of this.#untold) {
      const window = this.#windows.get(key);
      if (window && window.untold > 0)
        told.set(key, { key, startedAt: window.startedAtMs, used: window.untold });
    }
    this.#untold.clear();
    if (told.size > 0) {
      try {
        for (const total of await countRateWindows(this.#db, [...told.values()])) this.#hear(total, told);
      } catch (error) {
        for (const key of told.keys()) this.#untold.add(key);
        throw error;
      }
    }
    await this.#cleanUp();
  }

  #hear(total: WindowUse, told: ReadonlyMap<string, WindowUse>): void {
    const window = this.#windows.get(total.key);
    if (!window || window.startedAtMs !== total.startedAt) return;
    window.untold -= told.get(total.key)?.used ?? 0;
    window.used = total.used + window.untold;
  }

  async #cleanUp(): Promise<void> {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lastCleanUpMs < 60_000) return;
    this.#lastCleanUpMs = nowMs;
    await deleteRateWindows(this.#db, Math.floor(nowMs) - 10 * 60_000);
    for (const [key, window] of this.#windows) {
      if (window.startedAtMs + window.windowMs < nowMs) this.#windows.delete(key);
    }
  }
}
