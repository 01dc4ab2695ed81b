import { Fifo } from "../domain/fifo.ts";

/** What is read of bodies between two looks at timers. Sockets that bring much at once would fill hundreds of megabytes. */
const turnBytes = 1_048_576;
/** What a socket brings before it can be stopped. */
const readBytes = 65_536;

/** Shares what a turn of the event loop reads between all sockets that send bodies. */
export class Intake {
  readonly #waiting = new Fifo<() => void>();
  #bytes = 0;
  #hasTurn = false;

  /** Whether the socket may go on in this turn. */
  take(bytes: number): boolean {
    this.#bytes += bytes;
    this.#openTurn();
    return this.#bytes < turnBytes;
  }

  /** Calls back at once where this turn has room, or in one of the next. */
  whenRoom(goOn: () => void): void {
    if (this.#bytes < turnBytes) goOn();
    else this.#waiting.add(goOn);
  }

  #openTurn(): void {
    if (this.#hasTurn) return;
    this.#hasTurn = true;
    setImmediate(() => {
      this.#hasTurn = false;
      this.#bytes = 0;
      for (let room = turnBytes; room > 0 && this.#waiting.size > 0; room -= readBytes)
        this.#waiting.take()?.();
      if (this.#waiting.size > 0) this.#openTurn();
    });
  }
}
