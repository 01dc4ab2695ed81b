import { z } from "zod";

/** Any JSON value, `null` included, that the document must state. */
export function anyValue() {
  return z.unknown().refine((value) => value !== undefined, "Required");
}

export function anyObject() {
  return z.record(z.string(), z.unknown());
}

/** Text, or a number or truth value that an expression has left in its place. */
export function textLike() {
  return z.union([z.string(), z.number(), z.boolean()]);
}
