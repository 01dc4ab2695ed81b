import { z } from "zod";

/** The schema for lists and objects of at most so many entries. A longer one is refused before its entries are looked at: each fault costs. */
export function bounded<Schema extends z.ZodType>(max: number, schema: Schema, unit = "items"): Schema {
  const guarded = z.preprocess((value, context) => {
    if (sizeOf(value) <= max) return value;
    context.addIssue({ code: "custom", message: `must have at most ${max} ${unit}` });
    return z.NEVER;
  }, schema);
  // It takes and gives what the schema does; `preprocess` alone would take anything.
  return guarded as unknown as Schema;
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}
