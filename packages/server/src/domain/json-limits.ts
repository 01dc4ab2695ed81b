import { randomInt } from "node:crypto";

/*
 * What JSON from outside may hold: one set of limits for bodies, documents, answers of other servers and results of
 * user code. JSON.parse takes no longer than some 40 ms for the worst text within them, and so does every later walk.
 */

export const MAX_DEPTH = 100;
export const MAX_VALUES = 200_000;
/** A key costs JSON.parse ten times as much where it makes an object unlike all before it; in rows of one form it is cheap. */
const MAX_DIFFERENT_KEYS = 25_000;

/** A key takes four letters at least, with its quotes and colon: a shorter text cannot hold too many. */
const TOO_SHORT_TO_COUNT = 4 * MAX_DIFFERENT_KEYS;
const TABLE_SIZE = 1 << 16;
/** Longer keys are told apart by their beginning: too many of them do not fit into what a caller may send. */
const HASHED_LETTERS = 256;
/** Nobody can choose keys that look alike to a hash with secret numbers in it. */
const SEED = randomInt(2 ** 32);
const FACTOR = randomInt(2 ** 30) * 4 + 3;

interface Scan {
  /** Why the text must not be parsed, in words for its sender. */
  readonly fault?: string;
  /** A number may lie beyond what a double can hold. */
  readonly hasHugeNumber: boolean;
  /** How many there are, up to the fault. */
  readonly values: number;
}

/** Counts in the text what JSON.parse would make of it; one pass over the letters, whatever they are. */
export function scanJson(text: string, { maxDepth = MAX_DEPTH, maxValues = MAX_VALUES } = {}): Scan {
  const forms = text.length < TOO_SHORT_TO_COUNT ? undefined : new FormCounter(maxDepth);
  let depth = 0;
  let values = 1;
  let digits = 0;
  let hasHugeNumber = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = forms ? forms.readText(text, at + 1) : endOfText(text, at + 1);
    else if (char === COLON) {
      if (forms && forms.countKey(depth) > MAX_DIFFERENT_KEYS)
        return {
          fault: `must not hold more than ${MAX_DIFFERENT_KEYS} different keys`,
          hasHugeNumber,
          values,
        };
    } else if (char === COMMA) values++;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      if (++depth > maxDepth)
        return { fault: `must not be nested deeper than ${maxDepth} levels`, hasHugeNumber, values };
      values++;
      forms?.begin(depth);
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth--;
    if (values > maxValues)
      return { fault: `must not hold more than ${maxValues} values`, hasHugeNumber, values };
    if (char >= ZERO && char <= NINE) {
      if (++digits > MAX_SAFE_DIGITS) hasHugeNumber = true;
    } else {
      if ((char === SMALL_E || char === LARGE_E) && digits > 0) hasHugeNumber = true;
      digits = 0;
    }
  }
  return { hasHugeNumber, values };
}

/** Where the next quote stands that has no odd number of backslashes before it. */
export function endOfText(text: string, from: number): number {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let before = at;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
}

/** The same for a value that a library has parsed already. Not recursive: it may be too deep for that. */
export function faultOfJsonValue(value: unknown): string | undefined {
  let values = 0;
  let keys = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH + 1) return `must not be nested deeper than ${MAX_DEPTH} levels`;
    const next: unknown[] = [];
    for (const part of level) {
      if (++values > MAX_VALUES) return `must not hold more than ${MAX_VALUES} values`;
      if (Array.isArray(part)) {
        if (part.length > MAX_VALUES) return `must not hold more than ${MAX_VALUES} values`;
        for (const item of part) next.push(item);
      } else if (typeof part === "object" && part !== null) {
        for (const key in part) {
          if (++keys > MAX_VALUES) return `must not hold more than ${MAX_VALUES} values`;
          next.push((part as Record<string, unknown>)[key]);
        }
      }
    }
    level = next;
  }
  return undefined;
}

/** Objects whose first keys are the same share them; counted is every key that no object before had in that place. */
class FormCounter {
  #lastText = 0;
  readonly #seen = new Int32Array(TABLE_SIZE);
  readonly #forms: Int32Array;
  #different = 0;

  constructor(maxDepth: number) {
    this.#forms = new Int32Array(maxDepth + 1);
  }

  /** Takes a text for the next key, whether it is one or not; where it ends. */
  readText(text: string, from: number): number {
    let hash = SEED;
    let at = from;
    for (; at < text.length; at++) {
      let letter = text.charCodeAt(at);
      if (letter === QUOTE) break;
      if (at - from > HASHED_LETTERS) {
        at = endOfText(text, at);
        break;
      }
      if (letter === BACKSLASH) letter = text.charCodeAt(++at) | ESCAPED;
      hash = Math.imul(hash ^ letter, FACTOR);
    }
    this.#lastText = hash;
    return at;
  }

  begin(depth: number): void {
    this.#forms[depth] = SEED;
  }

  /** How many different keys there are with this one. */
  countKey(depth: number): number {
    const form = Math.imul(this.#forms[depth]! ^ this.#lastText, FACTOR) | 1;
    this.#forms[depth] = form;
    for (let place = form >>> 16; ; place = (place + 1) % TABLE_SIZE) {
      const known = this.#seen[place];
      if (known === form) return this.#different;
      if (known !== 0) continue;
      this.#seen[place] = form;
      return ++this.#different;
    }
  }
}

/** With fewer digits and no exponent a number is below 1e308. */
const MAX_SAFE_DIGITS = 308;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Beyond every letter: what is escaped is another text than the same letter bare. */
const ESCAPED = 0x10000;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_E = 0x65;
const LARGE_E = 0x45;
