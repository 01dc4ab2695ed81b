import { measureJson } from "./json-measure.ts";
import type { Sliced } from "./sliced.ts";

/** What is written in one go, which takes about two milliseconds. */
const piece = { bytes: 200_000, values: 10_000, depth: 200 };

const itemsAtOnce = 500;

/** A value that was written as JSON already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function toJsonText(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** The value as JSON where it can be written in one go. */
export function writeSmallJson(value: unknown): string | undefined {
  if (value instanceof JsonText) return value.text;
  return typeof measureJson(value, piece) === "number" ? JSON.stringify(value) : undefined;
}

/** Writes plain data as `JSON.stringify` would, piece by piece where it is large. */
export function* writeJson(value: unknown): Sliced<string> {
  const small = writeSmallJson(value);
  if (small !== undefined) return small;
  yield;
  if (typeof value === "string") return yield* writeText(value);
  const parts = Array.isArray(value) ? yield* writeItems(value) : yield* writeFields(value as object);
  return Array.isArray(value) ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

function* writeItems(items: readonly unknown[]): Sliced<string[]> {
  const parts: string[] = [];
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    const some = items.slice(at, at + itemsAtOnce);
    if (typeof measureJson(some, piece) === "number") parts.push(JSON.stringify(some).slice(1, -1));
    else {
      for (const item of some) {
        parts.push(yield* writeJson(item ?? null));
        yield;
      }
    }
    yield;
  }
  return parts;
}

function* writeFields(object: object): Sliced<string[]> {
  const parts: string[] = [];
  for (const [key, part] of Object.entries(object)) {
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${yield* writeJson(part)}`);
    yield;
  }
  return parts;
}

function* writeText(text: string): Sliced<string> {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + piece.bytes, text.length);
    // Both halves of a character stay together: alone they would be written in another way.
    if (isFirstHalf(text.charCodeAt(to - 1)) && to < text.length) to += 1;
    parts.push(JSON.stringify(text.slice(from, to)).slice(1, -1));
    from = to;
    yield;
  }
  return `"${parts.join("")}"`;
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
