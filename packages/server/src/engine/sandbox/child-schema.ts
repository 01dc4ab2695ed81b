import type { z as Zod } from "zod";
import type { ChildOutcome, ChildRequest } from "./protocol.ts";

/**
 * A schema of a few lines can ask for more steps than anybody can wait for: alternatives within alternatives that refer
 * to each other, thousands of properties for each of thousands of objects. The wall clock of the parent ends it.
 */
export async function checkAgainstSchema({ source, inputText }: ChildRequest): Promise<ChildOutcome> {
  // Loaded by the first schema: most children never see one.
  const { z } = await import("zod");
  let checker: Zod.ZodType;
  try {
    checker = z.fromJSONSchema(withoutPatterns(source));
  } catch {
    return { ok: false, name: "SchemaError", message: "This is not a JSON Schema that can be used." };
  }
  if (inputText === undefined) return { ok: true };
  const { success, data } = checker.safeParse(JSON.parse(inputText));
  if (!success) return { ok: false, name: "SchemaMismatch", message: "The value does not fit the schema." };
  return { ok: true, valueText: JSON.stringify(data) };
}

/** A native regular expression cannot be interrupted, and would cost the whole child. */
function withoutPatterns(source: string): Parameters<typeof Zod.fromJSONSchema>[0] {
  return JSON.parse(source, (key, value: unknown) =>
    (key === "pattern" && typeof value === "string") || key === "patternProperties" ? undefined : value,
  ) as Parameters<typeof Zod.fromJSONSchema>[0];
}
