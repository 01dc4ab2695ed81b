/*
 * Values are well-formed at every border, so that they are the same when they are read back. Half a character (a lone
 * surrogate) and NUL, which PostgreSQL can neither keep nor read, become U+FFFD, the character that stands for what could not
 * be read; a number that JSON does not know becomes null, as it would on the way to the database.
 */

const replacement = "\ufffd";

const maxLoopLength = 40;

/** Most texts are short and plain: for those a loop takes a fraction of the two searches. */
export function isWellFormed(text: string): boolean {
  if (text.length > maxLoopLength) return hasNoBrokenText(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0 || (code & 0xf800) === 0xd800) return hasNoBrokenText(text);
  }
  return true;
}

function hasNoBrokenText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

export function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.toWellFormed().replaceAll("\0", replacement);
}

export function isOddNumber(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

/** Plain data with all its texts, keys and numbers mended; its depth is known to be bounded. */
export function wellFormedValue<Value>(value: Value): Value {
  return mend(value) as Value;
}

function mend(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return isOddNumber(value) ? null : value;
  if (Array.isArray(value)) return value.map(mend);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [wellFormed(key), mend(part)]));
}
