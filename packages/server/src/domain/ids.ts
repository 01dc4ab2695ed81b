import { BASE62, randomBase62, toBase62 } from "./base62.ts";

export type IdPrefix =
  | "run"
  | "queue"
  | "rh"
  | "job"
  | "session"
  | "key"
  | "evt"
  | "whk"
  | "turn"
  | "entry"
  | "audit"
  | "share"
  | "login";

const TIME_WIDTH = 8;
const RANDOM_WIDTH = 16;

/**
 * Time-ordered ids: eight base62 characters of milliseconds, sixteen random ones. Within one millisecond
 * a maker counts on from its last id, so that ids sort in the order in which one process made them.
 */
export class IdMaker {
  readonly #nowMs: () => number;
  #lastMs = 0;
  #lastTime = "";
  #lastRandom = "";

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  make(prefix: IdPrefix): string {
    const nowMs = Math.floor(this.#nowMs());
    if (nowMs > this.#lastMs) {
      this.#lastMs = nowMs;
      this.#lastTime = toBase62(nowMs, TIME_WIDTH);
      // A first character that is no letter leaves room to count upwards.
      this.#lastRandom = `0${randomBase62(RANDOM_WIDTH - 1)}`;
    } else {
      this.#lastRandom = increment(this.#lastRandom);
    }
    return `${prefix}_${this.#lastTime}${this.#lastRandom}`;
  }
}

function increment(text: string): string {
  for (let at = text.length - 1; at >= 0; at--) {
    const next = BASE62[BASE62.indexOf(text[at]!) + 1];
    if (next !== undefined) return text.slice(0, at) + next + "0".repeat(text.length - at - 1);
  }
  return "0".repeat(text.length);
}

/** The millisecond in which an id was made: `createdAt` of a run is this and nothing else. */
export function idTimeMs(id: string): number {
  const digits = id.slice(id.indexOf("_") + 1, id.indexOf("_") + 1 + TIME_WIDTH);
  let value = 0;
  for (const digit of digits) value = value * 62 + BASE62.indexOf(digit);
  return value;
}

/** The lowest id a millisecond can have: time bounds become bounds over ids. */
export function lowestIdAt(prefix: IdPrefix, timeMs: number): string {
  return `${prefix}_${toBase62(Math.max(0, Math.floor(timeMs)), TIME_WIDTH)}${"0".repeat(RANDOM_WIDTH)}`;
}

export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + 1 + TIME_WIDTH + RANDOM_WIDTH &&
    text.startsWith(`${prefix}_`) &&
    /^[0-9A-Za-z]+$/.test(text.slice(prefix.length + 1))
  );
}

/** `run_X`, `queue_X` and `rh_X` are one run: this turns one id into another. */
export function withPrefix(id: string, prefix: IdPrefix): string {
  return `${prefix}_${id.slice(id.indexOf("_") + 1)}`;
}
