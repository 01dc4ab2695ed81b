import type { StopSignal } from "./flow-runner/run-types.ts";

/** Why a run was stopped from outside. */
export type StopReason = "timed-out" | "released" | "lost";

/** What stops one run. An AbortController would do the same at the cost of a node, for every run. */
export class RunStop implements StopSignal {
  #reason: StopReason | undefined;
  #onStop: (() => void) | undefined;

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** Only the first reason counts. */
  stop(reason: StopReason): void {
    if (this.aborted) return;
    this.#reason = reason;
    this.#onStop?.();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#onStop = listener;
  }

  removeEventListener(): void {
    this.#onStop = undefined;
  }
}
