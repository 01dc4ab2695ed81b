import { SandboxError } from "./sandbox.ts";

const maxInputBytes = 5 * 1024 * 1024;

/**
 * The input as JSON text. The walk before it ends as soon as the limit is passed, so that a value far too large
 * (or a cyclic one) never costs the service's event loop a long `JSON.stringify`.
 */
export function toInputText(input: unknown): string | undefined {
  if (exceeds(input, maxInputBytes)) throw tooLarge();
  let text: string | undefined;
  try {
    text = JSON.stringify(input) as string | undefined;
  } catch {
    throw new SandboxError("SandboxInput", "The input is not plain data that can be written as JSON.");
  }
  if (text !== undefined && Buffer.byteLength(text) > maxInputBytes) throw tooLarge();
  return text;
}

function tooLarge(): SandboxError {
  return new SandboxError("SandboxInput", "The input is larger than 5 MB of JSON. Pass only what is needed.");
}

/** Counts at least one byte a value and never more than JSON would need. */
function exceeds(input: unknown, limitBytes: number): boolean {
  const rest: unknown[] = [input];
  let bytes = 0;
  while (rest.length > 0) {
    const value = rest.pop();
    bytes += typeof value === "string" ? value.length + 2 : 1;
    if (bytes > limitBytes) return true;
    if (Array.isArray(value)) {
      for (const item of value) rest.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) {
        bytes += key.length + 3;
        rest.push((value as Record<string, unknown>)[key]);
      }
    }
    if (rest.length > limitBytes) return true;
  }
  return false;
}
