import type { JsonText } from "../domain/json-text.ts";

const textOid = 25;
const headerBytes = 20;

/**
 * A `text[]` parameter in PostgreSQL's binary format. The driver writes lists as text and looks for every quote in
 * them, which takes seconds for a few megabytes full of quotes; this takes as long as copying them.
 */
export function textArray(texts: readonly (string | JsonText | null)[]): Buffer {
  const lengths = texts.map(bytesOf);
  const bytes = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), headerBytes);
  const buffer = Buffer.allocUnsafe(texts.length === 0 ? headerBytes - 8 : bytes);
  const hasNulls = lengths.includes(-1);
  buffer.writeInt32BE(texts.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(textOid, 8);
  if (texts.length === 0) return buffer;
  buffer.writeInt32BE(texts.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = headerBytes;
  for (const [index, text] of texts.entries()) {
    const length = lengths[index] as number;
    buffer.writeInt32BE(length, at);
    at += 4;
    if (typeof text === "string") at += buffer.write(text, at);
    else for (const piece of text?.pieces ?? []) at += piece.copy(buffer, at);
  }
  return buffer;
}

/** The same for integers, as text: the driver would look for quotes in every one of them. */
export function integerArray(integers: readonly number[]): string {
  return `{${integers.join(",")}}`;
}

/** -1 for NULL. */
function bytesOf(text: string | JsonText | null): number {
  if (text === null) return -1;
  return typeof text === "string" ? Buffer.byteLength(text) : text.length;
}
