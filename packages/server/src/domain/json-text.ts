import { freeBytes } from "./free-bytes.ts";
import type { Sliced } from "./sliced.ts";
import { writeJsonPieces } from "./write-json.ts";

/**
 * A large value that was written as JSON already, in UTF-8: whoever sends it has nothing left to do but to copy it. It stays
 * in pieces: put together it would be there twice.
 */
export class JsonText {
  readonly pieces: readonly Buffer[];
  /** In bytes. */
  readonly length: number;
  /** It has the pieces of these. */
  readonly #parts: readonly JsonText[];
  #sendings = 0;

  constructor(pieces: readonly Buffer[], parts: readonly JsonText[] = []) {
    this.pieces = pieces;
    this.#parts = parts;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Once it was stored: megabytes need not wait for a collection. Whatever still sends it, and has failed, keeps it. */
  free(): void {
    if (this.#sendings > 0) return;
    for (const piece of this.pieces) freeBytes(piece);
  }

  /** For whoever hands its memory to a socket; to be told when nothing of it is left there. */
  beginSending(): () => void {
    this.#sendings += 1;
    const ends = this.#parts.map((part) => part.beginSending());
    return () => {
      this.#sendings -= 1;
      for (const end of ends) end();
    };
  }

  /** A list of these. */
  static list(items: readonly JsonText[]): JsonText {
    const pieces = items.flatMap((item, at) => [at === 0 ? LIST.begin : LIST.between, ...item.pieces]);
    return new JsonText([...pieces, items.length === 0 ? LIST.empty : LIST.end], items);
  }
}

const LIST = {
  begin: Buffer.from("["),
  between: Buffer.from(","),
  end: Buffer.from("]"),
  empty: Buffer.from("[]"),
};

export function toJsonText(value: unknown): string | JsonText {
  return value instanceof JsonText ? value : JSON.stringify(value);
}

export function* writeJsonText(value: unknown): Sliced<JsonText> {
  return new JsonText(yield* writeJsonPieces(value, (text) => Buffer.from(text)));
}
