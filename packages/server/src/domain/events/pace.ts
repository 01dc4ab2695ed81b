export interface Attempt {
  readonly delivered: boolean;
  readonly status?: number;
  readonly durationMs: number;
}

const MAX_IN_FLIGHT = 4;
const FAILURES_UNTIL_PAUSES = 5;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;
const SWIFT_MS = 2_000;
const THROTTLED_MS = 60_000;
const THROTTLING = new Set([429, 502, 504]);

/** How fast an endpoint is served. It has to earn its share: one that fails or dawdles gets one request at a time. */
export class Pace {
  #failuresInRow: number;
  #swift: boolean;
  #throttledUntilMs = 0;
  #notBeforeMs = 0;

  constructor({ failuresInRow, proven }: { failuresInRow: number; proven: boolean }) {
    this.#failuresInRow = failuresInRow;
    this.#swift = proven && failuresInRow === 0;
  }

  note({ delivered, status, durationMs }: Attempt, nowMs: number): void {
    if (delivered) {
      this.#failuresInRow = 0;
      this.#swift = durationMs < SWIFT_MS;
      return;
    }
    this.#failuresInRow++;
    if (status !== undefined && THROTTLING.has(status)) this.#throttledUntilMs = nowMs + THROTTLED_MS;
    if (durationMs >= SWIFT_MS) this.#swift = false;
    const pauses = this.#failuresInRow - FAILURES_UNTIL_PAUSES;
    if (pauses < 0) return;
    this.#swift = false;
    this.#notBeforeMs = nowMs + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(pauses, 10), MAX_PAUSE_MS);
  }

  get failuresInRow(): number {
    return this.#failuresInRow;
  }

  /** Whether it may use the slots that are kept for receivers that answer well. */
  get swift(): boolean {
    return this.#swift;
  }

  maxInFlight(nowMs: number): number {
    return this.#swift && nowMs >= this.#throttledUntilMs ? MAX_IN_FLIGHT : 1;
  }

  /** How long until the next request may begin. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.#notBeforeMs - nowMs);
  }
}
