import { Fifo } from "../domain/fifo.ts";

/**
 * Work goes on without a break for so long; then sockets, timers and other organizations have their turn. Many short runs
 * are done best in one go; where one piece of work has used up a whole slice, everybody waits in shorter ones for a while.
 */
const calmSliceMs = 20;
const busySliceMs = 1;
const busyForMs = 250;
/**
 * While an organization that has nothing waiting here is served, those who have rest as long as they work: each of its
 * requests and answers finds the event loop free half of the time, and PostgreSQL a core.
 */
const restMs = 1;
const lightForMs = 250;

interface Line {
  readonly resumes: Fifo<() => void>;
  /** These go before the rest of the organization. */
  readonly urgent: Fifo<() => void>;
  /** What the organization had of the event loop, since it last had to wait for nothing. */
  usedMs: number;
}

/**
 * Shares the event loop. All work that is done for organizations between two looks at the sockets shares one slice; what
 * is left when it is over waits here and goes on in the next one: first whoever had least.
 */
export class EventLoop {
  readonly #lines = new Map<string, Line>();
  /** What the one that was served last had had: all who wait had about as much. */
  #servedMs = 0;
  #sliceMs = calmSliceMs;
  #sliceEndMs: number | undefined;
  /** What those who had their turn in this slice still do in it. */
  #aheadMs = 0;
  #busyUntilMs = 0;
  #lightUntilMs = 0;
  #isResting = false;
  /** When the slice under way began, where a socket or a timer began it. */
  #begunOutsideAtMs: number | undefined;
  /** Those who wait have let the sockets go first; they do so once. */
  #hasStoodBack = false;
  readonly #nowMs: () => number;

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  isSliceOver(): boolean {
    const nowMs = this.#nowMs();
    if (this.#sliceEndMs === undefined) {
      this.#sliceMs = nowMs < this.#busyUntilMs ? busySliceMs : calmSliceMs;
      this.#sliceEndMs = nowMs + this.#sliceMs;
      this.#begunOutsideAtMs = nowMs;
      setImmediate(() => this.#beginSlice());
    }
    return nowMs + this.#aheadMs > this.#sliceEndMs;
  }

  /** Something small begins for this organization: a request, a run. */
  notice(organizationId: string): void {
    const line = this.#lines.get(organizationId);
    if (line === undefined || sizeOf(line) === 0) this.#lightUntilMs = this.#nowMs() + lightForMs;
  }

  /** Calls back when the organization has its next turn; what is urgent goes before what is not, inside of it. */
  queue(organizationId: string, resume: () => void, { isUrgent = false } = {}): void {
    let line = this.#lines.get(organizationId);
    if (!line) {
      // Who comes now has not had less than the others for all the time before: it is next, and no more.
      line = { resumes: new Fifo(), urgent: new Fifo(), usedMs: this.#servedMs - busySliceMs };
      this.#lines.set(organizationId, line);
    }
    (isUrgent ? line.urgent : line.resumes).add(resume);
    // Opens a slice where there is none: its end is where the queue goes on.
    this.isSliceOver();
  }

  /**
   * A Promise of the next turn where the slice is over; `undefined` where the work may go on. `aheadMs`: what follows takes
   * about so long. Where thousands go on in the same moment, all of them ask before the first has done any of it.
   */
  giveWay(organizationId: string, aheadMs = 0): Promise<void> | undefined {
    if (!this.isSliceOver()) {
      this.#aheadMs += aheadMs;
      return undefined;
    }
    return new Promise((resolve) =>
      this.queue(organizationId, () => {
        this.#aheadMs += aheadMs;
        resolve();
      }),
    );
  }

  /**
   * What there may be thousands of in the same moment, each about so long and none of it for later: as many at once as the
   * slice has room for, the others in turns of their organization, before what else that has waiting.
   */
  inTurn(organizationId: string, aheadMs: number, work: () => void): void {
    const begin = () => {
      this.#aheadMs += aheadMs;
      work();
    };
    if (this.isSliceOver()) this.queue(organizationId, begin, { isUrgent: true });
    else begin();
  }

  #beginSlice(): void {
    const nowMs = this.#nowMs();
    const outsideForMs = nowMs - (this.#begunOutsideAtMs ?? nowMs);
    this.#sliceEndMs = undefined;
    this.#aheadMs = 0;
    if (this.#isResting) return;
    if (outsideForMs > calmSliceMs && !this.#hasStoodBack) {
      // This comes right after the sockets, and what one of them brought took a whole slice: they are looked at again.
      this.#hasStoodBack = true;
      setImmediate(() => this.#resumeNext());
      return;
    }
    if (this.#lines.size > 0 && nowMs < this.#busyUntilMs && nowMs < this.#lightUntilMs) this.#rest();
    else this.#resumeNext();
  }

  #rest(): void {
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      this.#resumeNext();
    }, restMs);
  }

  #resumeNext(): void {
    const next = this.#next();
    if (next === undefined) {
      this.#lines.clear();
      return;
    }
    const isOwnSlice = this.#sliceEndMs === undefined;
    if (this.isSliceOver()) return;
    if (isOwnSlice) this.#begunOutsideAtMs = undefined;
    this.#hasStoodBack = false;
    this.#servedMs = Math.max(this.#servedMs, next.usedMs);
    const startMs = this.#nowMs();
    (next.urgent.take() ?? next.resumes.take())?.();
    // Later, so that what it sets going has run when the clock is read again.
    queueMicrotask(() => {
      const usedMs = this.#nowMs() - startMs;
      next.usedMs += usedMs;
      if (usedMs >= this.#sliceMs) this.#busyUntilMs = this.#nowMs() + busyForMs;
      this.#resumeNext();
    });
  }

  /** Of those who wait. */
  #next(): Line | undefined {
    let next: Line | undefined;
    for (const line of this.#lines.values()) {
      if (sizeOf(line) > 0 && (next === undefined || line.usedMs < next.usedMs)) next = line;
    }
    return next;
  }
}

function sizeOf({ resumes, urgent }: Line): number {
  return resumes.size + urgent.size;
}

/** A process has one event loop, so there is one of these. */
export const eventLoop = new EventLoop();
