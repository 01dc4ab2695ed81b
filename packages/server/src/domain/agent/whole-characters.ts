import { wellFormed } from "../well-formed.ts";

/**
 * Pieces of text as they may be stored and sent one by one: a character whose halves arrive in two pieces waits for its
 * second half; what is no character at all becomes U+FFFD.
 */
export class WholeCharacters {
  #half = "";

  push(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#half = text.slice(cut);
    return wellFormed(text.slice(0, cut));
  }

  /** Whatever still waits. */
  end(): string {
    const rest = wellFormed(this.#half);
    this.#half = "";
    return rest;
  }
}
