/**
 * What of a run is under way right now. A run pauses when all that is left are nodes that wait; containers do not count
 * while they wait for their rounds, only what happens inside of them does.
 */
export class Activity {
  readonly #onIdle: () => void;
  readonly #onRest: () => void;
  #busy = 0;
  #waiting = 0;
  /** Of those that are busy: nodes that wait for a time in place. */
  #resting = 0;
  #isChecking = false;

  /** `onRest`: all that is under way are times that are waited for in place. */
  constructor(onIdle: () => void, onRest: () => void) {
    this.#onIdle = onIdle;
    this.#onRest = onRest;
  }

  enter(count = 1): void {
    this.#busy += count;
  }

  leave(): void {
    this.#busy -= 1;
    this.check();
  }

  /** Awaits what may take until after a pause. */
  async pausing<Result>(result: Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    this.leave();
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
      this.enter();
    }
  }

  /** Awaits a time without a pause: the run keeps its slot, but does nothing with it. */
  async resting<Result>(result: Promise<Result>): Promise<Result> {
    this.#resting += 1;
    this.check();
    try {
      return await result;
    } finally {
      this.#resting -= 1;
    }
  }

  /** Looked at once all that follows from the present turn has happened. */
  check(): void {
    if (this.#isChecking || !(this.#isIdle || this.#isResting)) return;
    this.#isChecking = true;
    setImmediate(() => {
      this.#isChecking = false;
      if (this.#isIdle) this.#onIdle();
      else if (this.#isResting) this.#onRest();
    });
  }

  get #isIdle(): boolean {
    return this.#busy === 0 && this.#waiting > 0;
  }

  get #isResting(): boolean {
    return this.#resting > 0 && this.#busy === this.#resting;
  }
}
