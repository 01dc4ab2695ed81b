import * as fc from "fast-check";
import type { Part } from "../bytes.ts";
import { fitted } from "../fitted.ts";

export const KB = 1_024;

/** With a length, or in chunks of so many bytes. */
export const chunking = fc.constantFrom(undefined, undefined, undefined, 1, 100, 65_536);

/** The same with fewer of everything, so that it is not refused for its size alone. */
export function cut(part: Part, maxBytes: number): Part {
  if (typeof part === "string") return part;
  if ("json" in part) return { json: fitted(part.json, maxBytes) };
  if (!("repeat" in part)) return part;
  const bytes = Buffer.byteLength(part.repeat);
  return { ...part, times: Math.min(part.times, Math.floor(maxBytes / bytes)) };
}
