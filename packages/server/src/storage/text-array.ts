import { freeBytes } from "../domain/free-bytes.ts";
import type { JsonText } from "../domain/json-text.ts";

type Text = string | JsonText | null;

const textOid = 25;
const headerBytes = 20;
/** What is shorter is copied: a socket takes few long pieces better than many short ones. */
const longBytes = 50_000;

/**
 * A `text[]` parameter in PostgreSQL's binary format. The driver writes lists as text and looks for every quote in
 * them, which takes seconds for a few megabytes full of quotes; this takes as long as copying them.
 */
export function textArray(texts: readonly Text[]): Buffer | LongTextArray {
  const lengths = texts.map(bytesOf);
  return lengths.some(isLong) ? new LongTextArray(texts, lengths) : shortArray(texts, lengths);
}

/** Long texts are sent as they are, one after the other: put together they would be in memory several times. */
export class LongTextArray {
  readonly #texts: readonly Text[];
  readonly #lengths: readonly number[];

  constructor(texts: readonly Text[], lengths: readonly number[]) {
    this.#texts = texts;
    this.#lengths = lengths;
  }

  /** What to send, and what to do once all of it was sent. */
  send(): { readonly pieces: readonly Buffer[]; readonly sent: () => void } {
    const pieces: Buffer[] = [];
    const ends: (() => void)[] = [];
    let short = [header(this.#lengths)];
    const addLong = (piece: Buffer) => {
      pieces.push(Buffer.concat(short), piece);
      short = [];
    };
    for (const [index, text] of this.#texts.entries()) {
      const length = this.#lengths[index]!;
      short.push(int32(length));
      if (text === null) continue;
      if (typeof text !== "string") {
        ends.push(text.beginSending());
        for (const piece of text.pieces)
          if (isLong(piece.length)) addLong(piece);
          else short.push(piece);
      } else if (isLong(length)) {
        const bytes = Buffer.from(text);
        ends.push(() => freeBytes(bytes));
        addLong(bytes);
      } else short.push(Buffer.from(text));
    }
    pieces.push(Buffer.concat(short));
    return { pieces, sent: () => ends.forEach((end) => end()) };
  }

  /** For connections of the driver that know nothing of pieces. */
  toPostgres(): Buffer {
    const { pieces, sent } = this.send();
    const bytes = Buffer.concat(pieces);
    sent();
    return bytes;
  }
}

/** The same for integers, as text: the driver would look for quotes in every one of them. */
export function integerArray(integers: readonly number[]): string {
  return `{${integers.join(",")}}`;
}

function shortArray(texts: readonly Text[], lengths: readonly number[]): Buffer {
  const begin = header(lengths);
  const buffer = Buffer.allocUnsafe(
    lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), begin.length),
  );
  let at = begin.copy(buffer);
  for (const [index, text] of texts.entries()) {
    at = buffer.writeInt32BE(lengths[index]!, at);
    if (typeof text === "string") at += buffer.write(text, at);
    else for (const piece of text?.pieces ?? []) at += piece.copy(buffer, at);
  }
  return buffer;
}

function header(lengths: readonly number[]): Buffer {
  const isEmpty = lengths.length === 0;
  const buffer = Buffer.allocUnsafe(isEmpty ? headerBytes - 8 : headerBytes);
  buffer.writeInt32BE(isEmpty ? 0 : 1, 0);
  buffer.writeInt32BE(lengths.includes(-1) ? 1 : 0, 4);
  buffer.writeInt32BE(textOid, 8);
  if (isEmpty) return buffer;
  buffer.writeInt32BE(lengths.length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

function int32(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(4);
  buffer.writeInt32BE(value, 0);
  return buffer;
}

function isLong(bytes: number): boolean {
  return bytes >= longBytes;
}

/** -1 for NULL. */
function bytesOf(text: Text): number {
  if (text === null) return -1;
  return typeof text === "string" ? Buffer.byteLength(text) : text.length;
}
