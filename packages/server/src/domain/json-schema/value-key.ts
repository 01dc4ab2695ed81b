import type { Sliced } from "../sliced.ts";
import type { SchemaMeter } from "./schema-meter.ts";

/** Letters that count as much as one step. */
const LETTERS_A_STEP = 64;

/** A text that is the same for equal values, whatever the order of their keys, and for no others. */
export function* valueKey(value: unknown, meter: SchemaMeter): Sliced<string> {
  if (meter.spend(1)) yield;
  if (typeof value === "string") {
    if (meter.spend(value.length / LETTERS_A_STEP)) yield;
    return JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(yield* valueKey(item, meter));
    return `[${parts.join()}]`;
  }
  for (const name of Object.keys(value).toSorted())
    parts.push(`${JSON.stringify(name)}:${yield* valueKey((value as Record<string, unknown>)[name], meter)}`);
  return `{${parts.join()}}`;
}
