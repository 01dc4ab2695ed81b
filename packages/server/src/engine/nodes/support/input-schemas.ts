import { z } from "zod";

/** Any JSON value, `null` included, that the document must state. */
export function anyValue() {
  return z.unknown().refine((value) => value !== undefined, "Required");
}

/** A list, where a single value is a list of one and `null` an empty list: expressions make no difference between them. */
export function listOf() {
  return anyValue().transform(toList).meta({ type: "array" });
}

export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** Text, or a number or truth value that an expression has left in its place. */
export function textLike() {
  return z.union([z.string(), z.number(), z.boolean()]);
}
