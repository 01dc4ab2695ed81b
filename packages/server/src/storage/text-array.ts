const textOid = 25;
const headerBytes = 20;

/**
 * A `text[]` parameter in PostgreSQL's binary format. The driver writes lists as text and looks for every quote in
 * them, which takes seconds for a few megabytes full of quotes; this takes as long as copying them.
 */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? -1 : Buffer.byteLength(text)));
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
    if (text !== null) at += buffer.write(text, at);
  }
  return buffer;
}
