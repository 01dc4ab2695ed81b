/** What is left to do needs the sandbox: its cost is not known, or more than may be spent in place. */
export class NotBounded extends Error {}

/**
 * Counts work that is done in place of a caller, in steps of about ten nanoseconds. Whoever works on data spends by the
 * sizes it touches before it touches them, so that no data makes an expression take long on the event loop.
 */
export class Meter {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @throws NotBounded */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new NotBounded();
  }
}
