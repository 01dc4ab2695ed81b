import { FairQueue } from "../../domain/fair-queue.ts";
import { FairShare } from "../../domain/fair-share.ts";

interface Waiting {
  readonly organizationId: string;
  readonly begin: () => void;
}

/**
 * How many requests a process has under way at once, shared between organizations. Receivers that have not shown that they
 * answer well get at most half of the slots, so that however many of them hang, the others are served.
 */
export class SendSlots {
  readonly #all: FairShare;
  /** Of all, those that slow receivers hold. */
  readonly #slow: FairShare;
  readonly #swiftQueue = new FairQueue<Waiting>();
  readonly #slowQueue = new FairQueue<Waiting>();

  constructor(most: number) {
    this.#all = new FairShare(most);
    this.#slow = new FairShare(Math.ceil(most / 2));
  }

  /** Resolves with what gives the slot back. */
  take(organizationId: string, swift: boolean): Promise<() => void> {
    return new Promise((resolve) => {
      const giveBack = () => {
        this.#all.giveBack(organizationId);
        if (!swift) this.#slow.giveBack(organizationId);
        this.#beginNext();
      };
      const queue = swift ? this.#swiftQueue : this.#slowQueue;
      queue.add({ organizationId, begin: () => resolve(giveBack) });
      this.#beginNext();
    });
  }

  /** Both kinds in turn: a receiver that is new counts as slow until it has answered. */
  #beginNext(): void {
    for (let begun = true; begun;) {
      const slow = this.#slowQueue.next(this.#slow, (id) => this.#all.roomFor(id) > 0);
      if (slow) this.#all.hold(slow.organizationId);
      slow?.begin();
      const swift = this.#swiftQueue.next(this.#all);
      swift?.begin();
      begun = slow !== undefined || swift !== undefined;
    }
  }
}
