import { writeJson } from "../../domain/write-json.ts";
import type { Sliced } from "../../domain/sliced.ts";
import { SandboxError } from "./sandbox.ts";

const maxInputBytes = 5 * 1024 * 1024;
/** What is written in one go. */
const smallBytes = 100_000;
const valuesAtOnce = 5_000;

/**
 * The input as JSON text, a little at a time where it is large. The walk before it ends as soon as the limit is passed, so
 * that a value far too large (or a cyclic one) is never written.
 */
export function* writeInput(input: unknown): Sliced<string | undefined> {
  const bytes = yield* countBytes(input);
  if (bytes > maxInputBytes) throw tooLarge();
  let text: string | undefined;
  try {
    text = bytes <= smallBytes ? JSON.stringify(input) : yield* writeJson(input);
  } catch {
    throw new SandboxError("SandboxInput", "The input is not plain data that can be written as JSON.");
  }
  if (text !== undefined && Buffer.byteLength(text) > maxInputBytes) throw tooLarge();
  return text;
}

function tooLarge(): SandboxError {
  return new SandboxError("SandboxInput", "The input is larger than 5 MB of JSON. Pass only what is needed.");
}

/** At least one byte a value and never more than JSON would need, until it is too much. */
function* countBytes(input: unknown): Sliced<number> {
  const rest: unknown[] = [input];
  let bytes = 0;
  for (let values = 1; rest.length > 0; values += 1) {
    const value = rest.pop();
    bytes += typeof value === "string" ? value.length + 2 : 1;
    if (Array.isArray(value)) {
      if (value.length > maxInputBytes) return value.length;
      for (const item of value) rest.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) {
        bytes += key.length + 3;
        rest.push((value as Record<string, unknown>)[key]);
      }
    }
    if (bytes > maxInputBytes || rest.length > maxInputBytes) return Math.max(bytes, rest.length);
    if (values % valuesAtOnce === 0) yield;
  }
  return bytes;
}
