import { type JsonLimits, measureJson } from "./json-measure.ts";
import type { Sliced } from "./sliced.ts";

/** What is written in one go, which takes about two milliseconds. */
const piece = { bytes: 200_000, values: 10_000, depth: 200 };

const itemsAtOnce = 500;

/** The value as JSON where it can be written in one go, or where that takes as little as is said. */
export function writeSmallJson(value: unknown, most: JsonLimits = piece): string | undefined {
  return typeof measureJson(value, most) === "number" ? JSON.stringify(value) : undefined;
}

/** Writes plain data as `JSON.stringify` would, piece by piece where it is large. */
export function* writeJson(value: unknown): Sliced<string> {
  return (yield* writeJsonPieces(value, (text) => text)).join("");
}

/** Each piece as soon as it is there, so that they never stand beside each other as text and as something else. */
export function* writeJsonPieces<Piece>(
  value: unknown,
  toPiece: (text: string) => Piece,
): Sliced<readonly Piece[]> {
  const pieces = new Pieces(toPiece);
  yield* addPieces(pieces, value);
  return pieces.all();
}

/** Gathers texts of any length: those that are short become one piece. None ends within a character. */
class Pieces<Piece> {
  readonly #pieces: Piece[] = [];
  readonly #toPiece: (text: string) => Piece;
  #open: string[] = [];
  #openLength = 0;

  constructor(toPiece: (text: string) => Piece) {
    this.#toPiece = toPiece;
  }

  push(...texts: readonly string[]): void {
    for (const text of texts) {
      this.#open.push(text);
      this.#openLength += text.length;
    }
    if (this.#openLength >= piece.bytes) this.#close();
  }

  all(): readonly Piece[] {
    this.#close();
    return this.#pieces;
  }

  #close(): void {
    this.#pieces.push(this.#toPiece(this.#open.join("")));
    this.#open = [];
    this.#openLength = 0;
  }
}

function* addPieces<Piece>(pieces: Pieces<Piece>, value: unknown): Sliced<void> {
  const small = writeSmallJson(value);
  if (small !== undefined) {
    pieces.push(small);
    return;
  }
  yield;
  if (typeof value === "string") yield* addText(pieces, value);
  else if (Array.isArray(value)) yield* addItems(pieces, value);
  else yield* addFields(pieces, value as object);
}

function* addItems<Piece>(pieces: Pieces<Piece>, items: readonly unknown[]): Sliced<void> {
  pieces.push("[");
  let before = "";
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    const some = items.slice(at, at + itemsAtOnce);
    if (typeof measureJson(some, piece) === "number") {
      pieces.push(before, JSON.stringify(some).slice(1, -1));
      before = ",";
    } else {
      for (const item of some) {
        pieces.push(before);
        before = ",";
        yield* addPieces(pieces, item ?? null);
        yield;
      }
    }
    yield;
  }
  pieces.push("]");
}

function* addFields<Piece>(pieces: Pieces<Piece>, object: object): Sliced<void> {
  pieces.push("{");
  let before = "";
  for (const [key, part] of Object.entries(object)) {
    if (part !== undefined) {
      pieces.push(`${before}${JSON.stringify(key)}:`);
      before = ",";
      yield* addPieces(pieces, part);
    }
    yield;
  }
  pieces.push("}");
}

function* addText<Piece>(pieces: Pieces<Piece>, text: string): Sliced<void> {
  pieces.push('"');
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + piece.bytes, text.length);
    // Both halves of a character stay together: alone they would be written in another way.
    if (isFirstHalf(text.charCodeAt(to - 1)) && to < text.length) to += 1;
    pieces.push(JSON.stringify(text.slice(from, to)).slice(1, -1));
    from = to;
    yield;
  }
  pieces.push('"');
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
