import type { Duplex } from "node:stream";
import { Fifo } from "../domain/fifo.ts";

/** Less is one of many, and soon there. */
const slightBytes = 1_000_000;
const maxAtOnce = 2;

/**
 * Large messages of the database come in a few at a time, over all connections: each is in memory several times until it
 * is answered or kept, and what came in the same moment would be read in one turn. The others wait where they are.
 */
export class LargeArrivals {
  readonly #waiting = new Fifo<() => void>();
  #begun = 0;

  /** To be called when the first of it has come; ends with the function that is returned, however often that is called. */
  begin(bytes: number, stream: Duplex): () => void {
    if (bytes < slightBytes) return () => {};
    let state: "waiting" | "begun" | "over" = "waiting";
    const begin = () => {
      if (state === "over") return this.#next();
      state = "begun";
      this.#begun += 1;
      stream.resume();
    };
    const end = () => {
      stream.off("close", end);
      const hadBegun = state === "begun";
      state = "over";
      if (!hadBegun) return;
      this.#begun -= 1;
      this.#next();
    };
    stream.once("close", end);
    if (this.#begun < maxAtOnce) begin();
    else {
      stream.pause();
      this.#waiting.add(begin);
    }
    return end;
  }

  #next(): void {
    if (this.#begun < maxAtOnce) this.#waiting.take()?.();
  }
}

/** A process has one memory, so there is one of these. */
export const largeArrivals = new LargeArrivals();
