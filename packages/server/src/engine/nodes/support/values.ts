import type { Sliced } from "../../../domain/sliced.ts";

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `customer.name` in a JSON value; own keys only, undefined where there is nothing. */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** Equal texts for equal JSON values, whatever the order of their keys. */
export function* identityOf(value: unknown): Sliced<string> {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  yield;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(yield* identityOf(item));
    return `[${parts.join(",")}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const part: unknown = value[key as keyof typeof value];
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${yield* identityOf(part)}`);
  }
  return `{${parts.join(",")}}`;
}

export function* isEqualJson(a: unknown, b: unknown): Sliced<boolean> {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  yield;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    if (!(yield* isEqualJson(a[key as keyof typeof a], b[key as keyof typeof b]))) return false;
  }
  return true;
}

const TYPE_ORDER = ["number", "string", "boolean", "object"];

/** Numbers before text before truth values before the rest; nothing comes last in either direction. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a !== typeof b) return TYPE_ORDER.indexOf(typeof a) - TYPE_ORDER.indexOf(typeof b);
  if (typeof a === "object") return 0;
  const [left, right] = [a as number, b as number];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
