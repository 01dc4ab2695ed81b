/** Work goes on without a break for so long; then sockets, timers and other organizations have their turn. */
const sliceMs = 4;

/**
 * Shares the event loop. All work that is done for organizations between two looks at the sockets shares one slice; what
 * is left when it is over waits here and goes on in the next one, in turn by organization.
 */
export class Turns {
  /** What waits by organization; the first organization is the next one. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #sliceEndMs: number | undefined;
  readonly #nowMs: () => number;

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  isOver(): boolean {
    const nowMs = this.#nowMs();
    if (this.#sliceEndMs === undefined) {
      this.#sliceEndMs = nowMs + sliceMs;
      setImmediate(() => this.#beginSlice());
    }
    return nowMs > this.#sliceEndMs;
  }

  /** Calls back when the organization has its next turn. */
  queue(organizationId: string, resume: () => void): void {
    const waiting = this.#waiting.get(organizationId);
    if (waiting) waiting.push(resume);
    else this.#waiting.set(organizationId, [resume]);
    // Opens a slice where there is none: its end is where the queue goes on.
    this.isOver();
  }

  /** A Promise of the next turn where the slice is over; `undefined` where the work may go on. */
  giveWay(organizationId: string): Promise<void> | undefined {
    if (!this.isOver()) return undefined;
    return new Promise((resolve) => this.queue(organizationId, resolve));
  }

  #beginSlice(): void {
    this.#sliceEndMs = undefined;
    this.#resumeNext();
  }

  /** Each in a microtask of its own, so that what it sets going has run when the clock is read again. */
  readonly #resumeNext = (): void => {
    const [next] = this.#waiting;
    if (next === undefined || this.isOver()) return;
    const [organizationId, waiting] = next;
    const resume = waiting.shift();
    this.#waiting.delete(organizationId);
    if (waiting.length > 0) this.#waiting.set(organizationId, waiting);
    resume?.();
    queueMicrotask(this.#resumeNext);
  };
}

/** A process has one event loop, so there is one of these. */
export const turns = new Turns();
