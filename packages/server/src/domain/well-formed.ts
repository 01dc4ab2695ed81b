/*
 * Texts are well-formed at every border: half a character (a lone surrogate) and NUL, which PostgreSQL can neither keep nor
 * read back, become U+FFFD, the character that stands for what could not be read.
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

/** Plain data with all its texts and keys mended; its depth is known to be bounded. */
export function wellFormedValue<Value>(value: Value): Value {
  return mend(value) as Value;
}

function mend(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(mend);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [wellFormed(key), mend(part)]));
}
