import { endOfText } from "./json-limits.ts";
import { setOwn } from "./own-field.ts";
import type { Sliced } from "./sliced.ts";

/** What is parsed in one go, which takes about two milliseconds. */
const pieceLength = 100_000;

/** Parses as `JSON.parse` would, and part by part where the text is long. The text has to be valid: it was stored as JSON. */
export function* readJson(text: string): Sliced<unknown> {
  if (text.length <= pieceLength) return JSON.parse(text);
  return yield* new Reader(text).read();
}

/** A list or an object that has not ended yet. */
interface Open {
  readonly isList: boolean;
  readonly from: number;
  /** What was parsed of it; nothing as long as all of it fits into one piece. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Where that begins which was not parsed yet, and the part of it that is under way. */
  unparsedFrom: number;
  partFrom: number;
  /** The part under way is in the value already. */
  isPartDone: boolean;
}

/** One pass over the letters: a part that has grown to a piece is parsed, whatever is smaller waits for its neighbours. */
class Reader {
  readonly #text: string;
  readonly #open: Open[] = [];
  #root: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Sliced<unknown> {
    const text = this.#text;
    let restedAt = 0;
    for (let at = 0; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === QUOTE) at = endOfText(text, at + 1);
      else if (char === COMMA) this.#endPart(at);
      else if (char === OPEN_BRACE || char === OPEN_BRACKET) this.#begin(at, char === OPEN_BRACKET);
      else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) this.#end(at);
      if (at - restedAt < pieceLength) continue;
      restedAt = at;
      yield;
    }
    return this.#root === undefined ? JSON.parse(text) : this.#root;
  }

  #begin(at: number, isList: boolean): void {
    const next = at + 1;
    this.#open.push({
      isList,
      from: at,
      value: undefined,
      unparsedFrom: next,
      partFrom: next,
      isPartDone: false,
    });
  }

  #endPart(at: number): void {
    const open = this.#open.at(-1)!;
    if (open.isPartDone) open.unparsedFrom = at + 1;
    else if (at - open.unparsedFrom >= pieceLength) {
      this.#parse(open, at);
      open.unparsedFrom = at + 1;
    }
    open.isPartDone = false;
    open.partFrom = at + 1;
  }

  #end(at: number): void {
    const open = this.#open.pop()!;
    if (open.value === undefined && at - open.from < pieceLength) return;
    if (!open.isPartDone) this.#parse(open, at);
    const around = this.#open.at(-1);
    if (around === undefined) this.#root = open.value;
    else this.#put(around, open);
  }

  #put(around: Open, { from, value }: Open): void {
    if (around.partFrom > around.unparsedFrom) this.#parse(around, around.partFrom - 1);
    around.isPartDone = true;
    if (around.isList) {
      around.value ??= [];
      (around.value as unknown[]).push(value);
      return;
    }
    around.value ??= {};
    const name = this.#text.slice(around.partFrom, from).trimEnd().slice(0, -1);
    setOwn(around.value as Record<string, unknown>, JSON.parse(name) as string, value);
  }

  #parse(open: Open, to: number): void {
    const text = this.#text.slice(open.unparsedFrom, to);
    if (open.isList) {
      open.value ??= [];
      for (const item of JSON.parse(`[${text}]`) as unknown[]) (open.value as unknown[]).push(item);
      return;
    }
    open.value ??= {};
    const fields = JSON.parse(`{${text}}`) as Record<string, unknown>;
    for (const name in fields) setOwn(open.value as Record<string, unknown>, name, fields[name]);
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
