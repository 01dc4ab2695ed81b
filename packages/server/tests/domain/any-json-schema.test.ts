import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkValue } from "../../src/domain/json-schema/check-value.ts";
import { readSchema } from "../../src/domain/json-schema/read-schema.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

/** What may not be written as a plain object: it would look like a Promise. */
const keyed = (...entries: [string, unknown][]) => Object.fromEntries(entries) as object;
const name = fc.constantFrom("a", "b", "ab", "x-1", "toString");
const count = fc.integer({ min: -1, max: 4 });
const leaf = fc.oneof(fc.constantFrom(null, true, false, 0, 1, 1.5, 2, -3, "", "a", "ab", "abc", "😀"));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const type = fc.constantFrom("string", "number", "integer", "boolean", "object", "array", "null");
const pattern = fc.constantFrom("^a", "b$", "[0-9]", "a|b", "(?=x)");

/** Mostly right, sometimes not: keywords of one type beside each other, and now and then a stray one. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const sub = tie("schema");
  const optional = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
  const byName = fc.dictionary(name, sub, { maxKeys: 3, noNullPrototype: true });
  const some = fc.array(sub, { minLength: 1, maxLength: 3 });
  const typed = (of: unknown, fields: Record<string, fc.Arbitrary<unknown>>) =>
    fc
      .tuple(fc.constantFrom({ type: of }, { type: of }, { type: [of, "null"] }, {}), optional(fields))
      .map(([one, two]) => ({ ...one, ...two }));
  const combined = optional({
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: sub,
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    $ref: fc.constantFrom("#", "#/$defs/one", "#/$defs/two", "#/properties/a"),
  });
  const branching = fc
    .tuple(sub, sub, sub, fc.boolean())
    .map(([one, two, three, both]) =>
      keyed(["if", one], ["then", two], ...(both ? [["else", three] as [string, unknown]] : [])),
    );
  const objects = typed("object", {
    properties: byName,
    patternProperties: fc.dictionary(pattern, sub, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: sub,
    propertyNames: optional({ minLength: count, pattern }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    minProperties: count,
    maxProperties: count,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  });
  const lists = typed("array", {
    items: sub,
    prefixItems: some,
    contains: sub,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
  });
  const texts = typed("string", { minLength: count, maxLength: count, pattern });
  const numbers = typed("number", {
    minimum: count,
    maximum: count,
    exclusiveMinimum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(1, 2, 0.5, 0),
  });
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.boolean(),
      fc.record({ type }),
      texts,
      numbers,
      objects,
      lists,
      combined,
      branching,
      fc.tuple(objects, combined).map(([one, two]) => ({ ...one, ...two })),
    ),
  };
});
const root = fc
  .tuple(schema, schema, schema)
  .map(([one, two, three]) =>
    typeof one === "boolean" ? {} : { ...(one as object), $defs: { one: two, two: three } },
  );

test(
  "a schema that is taken is taken by ajv in strict mode, and both find the same values right",
  { timeout: 120_000 },
  () => {
    let taken = 0;
    let right = 0;
    let compared = 0;
    fc.assert(
      fc.property(root, fc.array(value, { minLength: 1, maxLength: 6 }), (document, values) => {
        const { schema: read } = finishSliced(readSchema(document));
        if (!read) return;
        taken += 1;
        const ajv = new Ajv2020({ strict: true, strictRequired: false });
        const validate = ajv.compile(document);
        for (const one of values) {
          const isRight = finishSliced(checkValue(read, one)).length === 0;
          expect({ document, one, isRight }).toEqual({ document, one, isRight: validate(one) });
          compared += 1;
          if (isRight) right += 1;
        }
      }),
      { numRuns: 400, seed: 7 },
    );
    expect(taken).toBeGreaterThan(20);
    expect(right).toBeGreaterThan(compared / 10);
  },
);

test("what ajv refuses in strict mode is a fault", { timeout: 120_000 }, () => {
  let refused = 0;
  fc.assert(
    fc.property(root, (document) => {
      try {
        new Ajv2020({ strict: true, strictRequired: false, logger: false }).compile(document);
      } catch {
        refused += 1;
        expect(finishSliced(readSchema(document)).problems.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 300, seed: 7 },
  );
  expect(refused).toBeGreaterThan(20);
});
