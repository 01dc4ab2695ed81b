import * as fc from "fast-check";
import type { JsonSchema } from "./operations.ts";

/** Values a schema allows, as far as a schema can say it; what else a route demands it has to refuse politely. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  switch (schema.type) {
    case "string":
      return textsOf(schema);
    case "integer":
      return fc.integer({ min: lowest(schema), max: highest(schema) });
    case "number":
      return schema.multipleOf === 1
        ? fc.integer({ min: lowest(schema), max: highest(schema) })
        : fc.double({ min: lowest(schema), max: highest(schema), noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case "object":
      return schema.properties ? objectsOf(schema, schema.properties) : fc.dictionary(names, plainValues);
    default:
      return plainValues;
  }
}

const names = fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,12}$/);
const plainValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant({ nested: { list: [1, "two", { three: true }] } }),
);

function textsOf({ pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

function objectsOf(
  { required = [] }: JsonSchema,
  properties: Readonly<Record<string, JsonSchema>>,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)]),
  );
  return fc.record(fields, { requiredKeys: [...required] });
}

function lowest({ minimum, exclusiveMinimum }: JsonSchema): number {
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  return Math.max(least ?? -1_000, -1_000_000);
}

function highest({ maximum }: JsonSchema): number {
  return Math.min(maximum ?? 1_000, 1_000_000);
}
