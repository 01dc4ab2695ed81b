export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `customer.name` in a JSON value; own keys only, undefined where there is nothing. */
export function readPath(value: unknown, path: string): unknown {
  let current = value;
  for (const key of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** Equal for equal JSON values, whatever the order of their keys. */
export function identityOf(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
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
