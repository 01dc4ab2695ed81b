import type { Path } from "../places.ts";

/** A value that cannot be foretold; whatever has the same name is the same value. */
export class Unknown {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Anything at all, each time. */
export const anything = new Unknown("*");

/** What expressions give; undefined where something is missing. */
export type Value = unknown;

/** The outcome depends on who is quicker or on chance: such a case proves nothing. */
export class Ambiguous extends Error {}

export function lookUp(path: Path, scope: Readonly<Record<string, unknown>>): Value {
  let value: unknown = scope;
  for (const name of path) {
    if (value instanceof Unknown) throw new Ambiguous(`a part of ${value.name} is read`);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** A missing value is left out of an object and `null` in a list. */
export function plain(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => plain(item) ?? null);
  if (typeof value !== "object" || value === null || value instanceof Unknown) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]) => [key, plain(part)] as const)
      .filter(([, part]) => part !== undefined),
  );
}

function holdsUnknown(value: Value): boolean {
  if (value instanceof Unknown) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}

/** Inside text nothing is empty; lists and objects are JSON. */
export function textOf(value: Value, name: string): Value {
  if (value === undefined || value === null) return "t";
  if (holdsUnknown(value)) return new Unknown(name);
  return `t${typeof value === "object" ? JSON.stringify(value) : String(value as string | number)}`;
}

/** Whether what was seen is what was foretold; what is not known is bound to what is seen first. */
export function matches(expected: Value, seen: unknown, bound: Map<string, string>): boolean {
  if (expected === anything) return true;
  if (expected instanceof Unknown) {
    const text = JSON.stringify(seen);
    const known = bound.get(expected.name) ?? text;
    bound.set(expected.name, known);
    return seen !== undefined && known === text;
  }
  if (typeof expected !== "object" || expected === null || typeof seen !== "object" || seen === null)
    return Object.is(expected, seen);
  if (Array.isArray(expected) !== Array.isArray(seen)) return false;
  const names = Object.keys(expected);
  return (
    names.length === Object.keys(seen).length &&
    names.every((name) =>
      matches((expected as Record<string, unknown>)[name], (seen as Record<string, unknown>)[name], bound),
    )
  );
}
