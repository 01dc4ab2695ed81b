import type { RunTime } from "../flow-runner/run-types.ts";

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** A clock that stands still while there is something to do, and then goes to the next moment that matters. */
export class VirtualTime implements RunTime {
  #nowMs: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  readonly now = (): number => this.#nowMs;

  sleepUntil(untilMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason as Error);
      };
      const sleeper: Sleeper = {
        untilMs,
        wake: () => {
          signal.removeEventListener("abort", abort);
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      if (signal.aborted) return abort();
      if (untilMs <= this.#nowMs) return resolve();
      signal.addEventListener("abort", abort, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  pass(): boolean {
    let nextMs = Infinity;
    for (const { untilMs } of this.#sleepers) if (untilMs < nextMs) nextMs = untilMs;
    if (nextMs === Infinity) return false;
    this.#nowMs = Math.max(this.#nowMs, nextMs);
    for (const sleeper of this.#sleepers) if (sleeper.untilMs <= this.#nowMs) sleeper.wake();
    return true;
  }
}
