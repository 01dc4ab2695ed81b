import { Fifo } from "../domain/fifo.ts";

interface TurnShareOptions {
  /** Of what one turn of the event loop does, before the rest waits for the next. */
  readonly most: number;
  /** What one that goes on takes, or may take before it can be stopped. */
  readonly each: number;
}

/** Shares what many sockets bring in the same moment between turns of the event loop: it would be done in one. */
export class TurnShare {
  readonly #options: TurnShareOptions;
  readonly #waiting = new Fifo<() => void>();
  #taken = 0;
  #hasTurn = false;

  constructor(options: TurnShareOptions) {
    this.#options = options;
  }

  /** Whether there may be more in this turn. */
  take(amount: number): boolean {
    this.#taken += amount;
    this.#openTurn();
    return this.#taken < this.#options.most;
  }

  /** Calls back at once where this turn has room, or in one of the next. */
  whenRoom(goOn: () => void): void {
    if (this.#taken < this.#options.most) goOn();
    else this.#waiting.add(goOn);
  }

  /** Does one of what there is much of, at once or in one of the next turns. */
  inTurn(work: () => void): void {
    this.whenRoom(() => {
      this.take(this.#options.each);
      work();
    });
  }

  #openTurn(): void {
    if (this.#hasTurn) return;
    this.#hasTurn = true;
    setImmediate(() => {
      this.#hasTurn = false;
      this.#taken = 0;
      const { most, each } = this.#options;
      for (let room = most; room > 0 && this.#waiting.size > 0;) {
        const before = this.#taken;
        this.#waiting.take()?.();
        room -= Math.max(each, this.#taken - before);
      }
      if (this.#waiting.size > 0) this.#openTurn();
    });
  }
}
