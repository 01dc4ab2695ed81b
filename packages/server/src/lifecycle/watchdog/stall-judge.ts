import type { Work } from "./stall-memory.ts";

export interface Observed {
  readonly beats: number;
  readonly isDebugged: boolean;
  readonly work: Work | undefined;
}

/** A tick that comes later than so many times its interval says that the watchdog itself did not get to run. */
const MAX_LATE_TICKS = 3;

/**
 * Decides whether the event loop stands still. Time is counted in ticks that came when they were due: a process that
 * was stopped, a machine that slept or is so busy that this thread starves too, starts the count again.
 */
export class StallJudge {
  readonly #tickMs: number;
  readonly #limitMs: number;
  #beats: number | undefined;
  #tickedAtMs = 0;
  #stalledMs = 0;
  #work: Work | undefined;

  constructor({ tickMs, limitMs }: { tickMs: number; limitMs: number }) {
    this.#tickMs = tickMs;
    this.#limitMs = limitMs;
  }

  /** The work last seen under way while the loop stood still, once that has lasted longer than the limit. */
  tick(nowMs: number, { beats, isDebugged, work }: Observed): { work: Work | undefined } | undefined {
    const passedMs = nowMs - this.#tickedAtMs;
    const isStalled = beats === this.#beats && !isDebugged && passedMs <= this.#tickMs * MAX_LATE_TICKS;
    this.#beats = beats;
    this.#tickedAtMs = nowMs;
    if (!isStalled) {
      this.#stalledMs = 0;
      this.#work = undefined;
      return undefined;
    }
    this.#stalledMs += passedMs;
    this.#work = work ?? this.#work;
    return this.#stalledMs > this.#limitMs ? { work: this.#work } : undefined;
  }
}
