/**
 * What of a run is under way right now. A run pauses when all that is left are nodes that wait; containers do not count
 * while they wait for their rounds, only what happens inside of them does.
 */
export class Activity {
  readonly #onIdle: () => void;
  #busy = 0;
  #waiting = 0;
  #isChecking = false;

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
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

  /** Looked at once all that follows from the present turn has happened. */
  check(): void {
    if (this.#isChecking || !this.#isIdle) return;
    this.#isChecking = true;
    setImmediate(() => {
      this.#isChecking = false;
      if (this.#isIdle) this.#onIdle();
    });
  }

  get #isIdle(): boolean {
    return this.#busy === 0 && this.#waiting > 0;
  }
}
