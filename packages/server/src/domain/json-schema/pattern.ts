import { RE2JS } from "re2js";

const MAX_SOURCE_LENGTH = 200;
/** RE2 writes repetitions out: `\pL{1000}` has a thousand steps, and takes a thousand times as long as `\pL`. */
const MAX_PROGRAM_SIZE = 256;
const MAX_TEXT_LENGTH = 10_000;

/** A regular expression that ends: RE2 takes time by the length of the text alone. */
export interface Pattern {
  readonly source: string;
  readonly cost: (text: string) => number;
  /** A longer text than the service is willing to look through never fits. */
  fits(text: string): boolean;
}

/** The pattern, or why it cannot be used. */
export function readPattern(source: string): Pattern | string {
  if (source.length > MAX_SOURCE_LENGTH) return `must have at most ${MAX_SOURCE_LENGTH} characters`;
  let program: RE2JS;
  try {
    // Known to every reader of JSON Schema in this form first; RE2 reads more than that.
    program = RE2JS.compile(RE2JS.translateRegExp(new RegExp(source, "u").source));
  } catch {
    return "cannot be used as a pattern; look-around and back-references are not supported";
  }
  const size = program.programSize();
  if (size > MAX_PROGRAM_SIZE) return "repeats too much; use smaller numbers in {…}";
  return {
    source,
    cost: (text) => (size * Math.min(text.length, MAX_TEXT_LENGTH)) / 10,
    fits: (text) => text.length <= MAX_TEXT_LENGTH && program.test(text),
  };
}
