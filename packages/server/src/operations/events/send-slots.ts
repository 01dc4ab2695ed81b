/**
 * How many requests a process has under way at once. Receivers that have not shown that they answer well share half
 * of the slots, so that however many of them hang, the others are served.
 */
export class SendSlots {
  readonly #most: number;
  #used = 0;
  #usedBySlow = 0;
  readonly #waiting: { swift: boolean; begin: () => void }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves with what gives the slot back. */
  take(swift: boolean): Promise<() => void> {
    return new Promise((resolve) => {
      const begin = () => {
        this.#used++;
        if (!swift) this.#usedBySlow++;
        resolve(() => this.#giveBack(swift));
      };
      this.#waiting.push({ swift, begin });
      this.#beginNext();
    });
  }

  #giveBack(swift: boolean): void {
    this.#used--;
    if (!swift) this.#usedBySlow--;
    this.#beginNext();
  }

  #beginNext(): void {
    while (this.#used < this.#most) {
      const slowMay = this.#usedBySlow < Math.ceil(this.#most / 2);
      const at = this.#waiting.findIndex(({ swift }) => swift || slowMay);
      if (at === -1) return;
      this.#waiting.splice(at, 1)[0]!.begin();
    }
  }
}
