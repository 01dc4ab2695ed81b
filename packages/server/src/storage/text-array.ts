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
    const pieces: Buffer[] = [header(this.#lengths)];
    const ends: (() => void)[] = [];
    let from = 0;
    const pushShort = (to: number) => {
      if (to > from) pieces.push(elements(this.#texts.slice(from, to), this.#lengths.slice(from, to)));
      from = to + 1;
    };
    for (const [index, text] of this.#texts.entries()) {
      const length = this.#lengths[index]!;
      if (text === null || !isLong(length)) continue;
      pushShort(index);
      pieces.push(int32(length));
      if (typeof text === "string") {
        const bytes = Buffer.from(text);
        ends.push(() => freeBytes(bytes));
        pieces.push(bytes);
      } else {
        ends.push(text.beginSending());
        pieces.push(...text.pieces);
      }
    }
    pushShort(this.#texts.length);
    return { pieces: joinShort(pieces), sent: () => ends.forEach((end) => end()) };
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
  return elements(texts, lengths, header(lengths));
}

/** Each with its length before it, behind what comes first. */
function elements(
  texts: readonly Text[],
  lengths: readonly number[],
  first: Buffer = Buffer.alloc(0),
): Buffer {
  const bytes = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), first.length);
  const buffer = Buffer.allocUnsafe(bytes);
  let at = first.copy(buffer);
  for (const [index, text] of texts.entries()) {
    at = buffer.writeInt32BE(lengths[index]!, at);
    if (typeof text === "string") at += buffer.write(text, at);
    else for (const piece of text?.pieces ?? []) at += piece.copy(buffer, at);
  }
  return buffer;
}

/** Short pieces that follow each other, as one. */
function joinShort(pieces: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = [];
  let short: Buffer[] = [];
  const close = () => {
    if (short.length > 0) joined.push(short.length === 1 ? short[0]! : Buffer.concat(short));
    short = [];
  };
  for (const piece of pieces) {
    if (!isLong(piece.length)) short.push(piece);
    else {
      close();
      joined.push(piece);
    }
  }
  close();
  return joined;
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

export function int32(value: number): Buffer {
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
