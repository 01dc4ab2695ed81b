import { describe, expect, it } from "vitest";
import { checkValue } from "../../src/domain/json-schema/check-value.ts";
import { formatNames, hasFormat } from "../../src/domain/json-schema/formats.ts";
import { readSchema } from "../../src/domain/json-schema/read-schema.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

const problemsOf = (schema: unknown) =>
  finishSliced(readSchema(schema)).problems.map(({ path, message }) => `${path.join(".")}: ${message}`);

const issuesOf = (schema: object, value: unknown) => {
  const { schema: read, problems } = finishSliced(readSchema(schema));
  expect(problems).toEqual([]);
  return finishSliced(checkValue(read!, value)).map(({ path, message }) => `${path.join(".")}: ${message}`);
};

const text = { type: "string" };
const object = { type: "object" };
const list = { type: "array" };
const keyed = (...entries: [string, unknown][]) => Object.fromEntries(entries) as object;

describe("a schema", () => {
  it.each([
    [3, ": must be a JSON Schema: an object"],
    [true, ": must be a JSON Schema: an object"],
    [{ type: "text" }, "type: must be one of string, number, integer, boolean, object, array, null"],
    [{ type: [] }, "type: must be one of string"],
    [{ type: ["string", "string"] }, "type: must be one of string"],
    [{ type: ["string", "number"] }, "type: must be one type, or one and null; use anyOf for alternatives"],
    [{ type: ["string", "number", "null"] }, "type: must be one type, or one and null"],
    [{ ...object, propertees: {} }, 'propertees: unknown keyword "propertees"; did you mean "properties"?'],
    [{ unevaluatedProperties: false }, 'unevaluatedProperties: unknown keyword "unevaluatedProperties"'],
    [{ toString: 3 }, 'toString: unknown keyword "toString"'],
    [
      { $schema: "http://json-schema.org/draft-07/schema#" },
      "$schema: must be https://json-schema.org/draft",
    ],
    [{ title: 3 }, "title: must be a text"],
    [{ examples: 3 }, "examples: must be a list"],
    [{ deprecated: "yes" }, "deprecated: must be true or false"],
    [{ enum: [] }, "enum: must be a list of at least one value"],
    [{ type: "number", minimum: "3" }, "minimum: must be a number"],
    [{ type: "number", multipleOf: 0 }, "multipleOf: must be above 0"],
    [{ ...text, minLength: -1 }, "minLength: must be a whole number, 0 or more"],
    [{ ...text, pattern: 3 }, "pattern: must be a text"],
    [{ ...text, pattern: "(" }, "pattern: cannot be used as a pattern"],
    [{ ...text, pattern: "(?=a)b" }, "pattern: cannot be used as a pattern"],
    [{ ...text, pattern: "a{900}" }, "pattern: repeats too much"],
    [{ ...text, pattern: "a".repeat(201) }, "pattern: must have at most 200 characters"],
    [{ ...text, format: "colour" }, `format: must be one of ${formatNames.join(", ")}`],
    [{ ...list, uniqueItems: 1 }, "uniqueItems: must be true or false"],
    [{ ...list, items: [text] }, "items: must be a schema: an object, true or false"],
    [{ ...list, minContains: 1 }, "minContains: has no effect without contains"],
    [{ ...list, contains: text, minContains: 0 }, "minContains: makes contains have no effect where it is 0"],
    [
      { ...list, contains: text, maxContains: 0 },
      "maxContains: is less than minContains, which is 1 where it is not given",
    ],
    [
      { ...list, contains: text, minContains: 3, maxContains: 2 },
      "maxContains: is less than minContains, which is 1 where it is not given",
    ],
    [{ ...list, prefixItems: [text] }, 'prefixItems: needs "minItems": 1 and "items": false beside it'],
    [{ ...object, properties: { a: 3 } }, "properties: must be an object of schemas"],
    [{ ...object, properties: [] }, "properties: must be an object of schemas"],
    [{ ...object, properties: { a: { kind: 1 } } }, 'properties.a.kind: unknown keyword "kind"'],
    [{ ...object, patternProperties: { "(": text } }, "patternProperties.(: cannot be used as a pattern"],
    [
      { ...object, properties: { ab: text }, patternProperties: { "^a": text } },
      'patternProperties.^a: fits the property "ab" too',
    ],
    [{ ...object, required: ["a", "a"] }, "required: must be a list of different names"],
    [{ ...object, required: [1] }, "required: must be a list of different names"],
    [{ ...object, required: "a" }, "required: must be a list of different names"],
    [{ ...object, dependentRequired: { a: "b" } }, "dependentRequired: must be an object of lists of names"],
    [{ ...object, dependentRequired: 3 }, "dependentRequired: must be an object of lists of names"],
    [{ allOf: [] }, "allOf: must be a list of at least one schema"],
    [{ allOf: 3 }, "allOf: must be a list of at least one schema"],
    [{ if: text }, "if: has no effect without then or else"],
    [keyed(["then", text]), "then: has no effect without if"],
    [{ properties: { a: text } }, 'properties: needs "type": "object" beside it'],
    [{ ...text, minimum: 3 }, 'minimum: needs "type": "number" beside it'],
    [{ ...text, anyOf: [object] }, "anyOf.0.type: cannot be object: the schema above allows string"],
    [{ ...object, propertyNames: { minimum: 3 } }, 'propertyNames.minimum: needs "type": "number"'],
    [{ $ref: "other.json" }, "$ref: must lead to a schema of the same document"],
    [{ $ref: 3 }, "$ref: must lead to a schema of the same document"],
    [{ $ref: "#/$defs/gone" }, "$ref: there is no schema at #/$defs/gone"],
    [{ $ref: "#/title/0", title: "x" }, "$ref: there is no schema at #/title/0"],
    [{ $ref: "#/$defs/%E0%A4%A" }, "$ref: there is no schema at"],
    [{ $ref: "#" }, "$ref: leads back to itself"],
    [
      { $ref: "#/$defs/a", $defs: { a: { anyOf: [text, { $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } } },
      "$defs.a.anyOf.1.$ref: leads back to itself",
    ],
    [{ description: "x".repeat(100_000) }, ": must have at most 100000 characters"],
    [{ allOf: Array.from({ length: 1_001 }, () => ({})) }, "allOf.999: holds more than 1000 schemas"],
    [
      {
        ...object,
        properties: Object.fromEntries(
          Array.from({ length: 52 }, (_, at) => [`p${at}`, { ...text, pattern: "a" }]),
        ),
      },
      "properties.p20.pattern: is more than 20 patterns",
    ],
    [Array.from({ length: 70 }).reduce<object>((inner) => ({ not: inner }), {}), ": is nested too deeply"],
  ])("%j has a fault: %s", (schema, fault) => {
    expect(problemsOf(schema).join("\n")).toContain(fault);
  });

  it("tells at most 20 faults", () => {
    const names = Array.from({ length: 30 }, (_, at) => [`wrong${at}`, 1]);
    expect(problemsOf(Object.fromEntries(names))).toHaveLength(20);
  });

  it("may say what it likes about itself", () => {
    const notes = {
      title: "A",
      description: "B",
      $comment: "C",
      default: 1,
      examples: [1],
      deprecated: true,
    };
    const dialect = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      readOnly: true,
      writeOnly: false,
    };
    expect(issuesOf({ ...notes, ...dialect }, 3)).toEqual([]);
    expect(issuesOf({ $schema: "https://json-schema.org/draft/2020-12/schema#" }, 3)).toEqual([]);
  });
});

describe("a value", () => {
  it.each<[object, unknown, string[]]>([
    [text, "a", []],
    [text, 3, [": must be a text"]],
    [{ type: ["integer", "null"] }, 3.5, [": must be a whole number or null"]],
    [{ type: ["integer", "null"] }, null, []],
    [{ type: "boolean" }, 0, [": must be true or false"]],
    [list, {}, [": must be a list"]],
    [object, [], [": must be an object"]],
    [{ type: "number", minimum: 2 }, 1, [": must be at least 2"]],
    [{ type: "number", maximum: 2 }, 3, [": must be at most 2"]],
    [{ type: "number", exclusiveMinimum: 2 }, 2, [": must be more than 2"]],
    [{ type: "number", exclusiveMaximum: 2 }, 2, [": must be less than 2"]],
    [{ type: "number", multipleOf: 2 }, 3, [": must be a multiple of 2"]],
    [
      { type: "number", minimum: 1, maximum: 3, exclusiveMinimum: 0, exclusiveMaximum: 4, multipleOf: 1 },
      2,
      [],
    ],
    [{ ...text, minLength: 3 }, "ab", [": must have at least 3 characters"]],
    [{ ...text, minLength: 2 }, "😀", [": must have at least 2 characters"]],
    [{ ...text, minLength: 1 }, "😀", []],
    [{ ...text, maxLength: 1 }, "abc", [": must have at most 1 characters"]],
    [{ ...text, maxLength: 1 }, "ab", [": must have at most 1 characters"]],
    [{ ...text, maxLength: 1 }, "😀", []],
    [{ ...text, pattern: "^a+$" }, "ab", [": must match the pattern ^a+$"]],
    [{ ...text, pattern: "^a+$" }, "a".repeat(10_001), [": must match the pattern ^a+$"]],
    [{ ...text, pattern: "b" }, "abc", []],
    [{ ...text, format: "date" }, "2026-02-30", [": must have the format date"]],
    [{ enum: ["a", 1, null] }, "b", [': must be one of "a", 1, null']],
    [{ enum: ["a", 1, null] }, {}, [': must be one of "a", 1, null']],
    [{ enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }, []],
    [{ const: 1 }, 2, [": must be 1"]],
    [{ enum: Array.from({ length: 200 }, (_, at) => at) }, -1, [expect.stringMatching(/, … ?$|…$/)]],
    [{ ...list, minItems: 1 }, [], [": must have at least 1 items"]],
    [{ ...list, maxItems: 1 }, [1, 2], [": must have at most 1 items"]],
    [{ ...list, items: text }, ["a", 1, 2], ["1: must be a text", "2: must be a text"]],
    [{ ...list, prefixItems: [text], items: false, minItems: 1 }, ["a", 1], ["1: is not allowed"]],
    [{ ...list, prefixItems: [text], maxItems: 1, minItems: 1 }, ["a"], []],
    [{ ...list, uniqueItems: true }, [1, "1", { a: 1, b: 2 }], []],
    [
      { ...list, uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [": must not hold the same item twice"],
    ],
    [{ ...list, contains: text }, [1], [": must hold at least 1 of the wanted items"]],
    [{ ...list, contains: text, maxContains: 1 }, ["a", "b"], [": must hold at most 1 of the wanted items"]],
    [{ ...list, contains: text, minContains: 2 }, ["a", "b", 3], []],
    [{ ...object, required: ["a", "b"] }, { a: 1 }, ["b: is required"]],
    [{ ...object, required: ["toString"] }, {}, ["toString: is required"]],
    [{ ...object, dependentRequired: { a: ["b"] } }, { a: 1 }, ['b: is required with "a"']],
    [{ ...object, dependentRequired: { a: ["b"] } }, {}, []],
    [{ ...object, minProperties: 1 }, {}, [": must have at least 1 properties"]],
    [{ ...object, maxProperties: 1 }, { a: 1, b: 2 }, [": must have at most 1 properties"]],
    [
      { ...object, properties: { a: text }, additionalProperties: false },
      { a: 1, b: 2 },
      ["a: must be a text", "b: is not allowed"],
    ],
    [{ ...object, properties: { a: true } }, { a: 1, b: 2 }, []],
    [
      { ...object, patternProperties: { "^x-": text }, additionalProperties: false },
      { "x-a": 1, y: 1 },
      ["x-a: must be a text", "y: is not allowed"],
    ],
    [
      { ...object, properties: { y: { const: 1 } }, patternProperties: { "^x-": text } },
      { "x-a": "a", y: 2, z: 3 },
      ["y: must be 1"],
    ],
    [{ ...object, additionalProperties: text }, { a: "a", b: 1 }, ["b: must be a text"]],
    [
      { ...object, propertyNames: { maxLength: 1 }, additionalProperties: text },
      { ab: "a", c: "c" },
      ["ab: is not a name that is allowed here"],
    ],
    [{ ...object, propertyNames: { maxLength: 1 } }, { ab: 1 }, ["ab: is not a name that is allowed here"]],
    [{ allOf: [text, { ...text, minLength: 2 }] }, "a", [": must have at least 2 characters"]],
    [{ anyOf: [text, { type: "number" }] }, null, [": fits none of the alternatives of anyOf"]],
    [{ anyOf: [text, { type: "number" }] }, 3, []],
    [{ oneOf: [text, { type: "number" }] }, null, [": fits none of the alternatives of oneOf"]],
    [
      { oneOf: [{ type: "number" }, { type: "integer" }, text] },
      3,
      [": fits several of the alternatives of oneOf"],
    ],
    [{ oneOf: [{ type: "number" }, text] }, 3, []],
    [{ not: text }, "a", [": has a form that is not allowed"]],
    [{ not: text }, 3, []],
    [keyed(["if", text], ["then", { const: "a" }], ["else", { const: 1 }]), "b", [': must be "a"']],
    [keyed(["if", text], ["then", { const: "a" }], ["else", { const: 1 }]), 2, [": must be 1"]],
    [keyed(["if", text], ["then", { const: "a" }]), 2, []],
    [{ if: text, else: { const: 1 } }, 1, []],
    [{ ...object, anyOf: [{ required: ["a"] }, { required: ["b"] }] }, { b: 1 }, []],
    [
      { type: "number", anyOf: [{ type: "integer", minimum: 3 }] },
      2,
      [": fits none of the alternatives of anyOf"],
    ],
    [{ type: ["integer", "null"], allOf: [{ type: "integer" }] }, null, [": must be a whole number"]],
    [{ $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": text } }, 3, [": must be a text"]],
    [
      { ...object, properties: { next: { $ref: "#" }, at: { type: "number" } } },
      { next: { next: { at: "x" } } },
      ["next.next.at: must be a number"],
    ],
    [
      {
        ...list,
        items: {
          anyOf: [
            { ...list, items: text },
            { ...object, properties: { a: text } },
          ],
        },
      },
      [[1, 2]],
      ["0: fits none of the alternatives of anyOf"],
    ],
  ])("%j with %j: %j", (schema, value, issues) => {
    expect(issuesOf(schema, value)).toEqual(issues);
  });

  it("is told at most 20 faults, and looked at no further", () => {
    expect(
      issuesOf(
        { ...list, items: text },
        Array.from({ length: 100 }, () => 1),
      ),
    ).toHaveLength(20);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, 1]));
    expect(issuesOf({ ...object, additionalProperties: text }, many)).toHaveLength(20);
  });
});

it.each([
  ["date", ["2024-02-29", "0001-01-01"], ["2026-02-29", "2026-13-01", "2026-1-1", "x"]],
  ["time", ["10:00:00Z", "23:59:60.5+02:00"], ["24:00:00Z", "10:00:00", "10:00Z"]],
  [
    "date-time",
    ["2026-01-02T03:04:05Z", "2026-01-02t03:04:05.678-05:30"],
    ["2026-01-02", "2026-01-02X03:04:05Z", "2026-02-30T00:00:00Z"],
  ],
  ["duration", ["P1D", "PT5M", "P1Y2M3DT4H5M6S", "P3W"], ["P", "PT", "1D", "P1H"]],
  [
    "email",
    ["ada@example.com", "a.b+c@x.y.z"],
    ["ada", "a@", "@b.c", ".a@b.c", "a..b@c.d", "a@-b.c", "a b@c.d"],
  ],
  ["hostname", ["localhost", "a-b.example"], ["-a", "a_b", "a..b", `${"a".repeat(64)}.b`]],
  ["ipv4", ["127.0.0.1"], ["256.0.0.1", "1.2.3", "::1"]],
  ["ipv6", ["::1", "2001:db8::1"], ["127.0.0.1", "fe80::1%eth0", ":"]],
  ["uri", ["https://a.example/x?y#z", "mailto:a@b.c", "urn:x:y"], ["/a", "a b:c", "https://a b", "http://"]],
  ["uuid", ["018f3a6e-7c1d-7b7a-8c3f-0123456789AB"], ["018f3a6e7c1d7b7a8c3f0123456789ab"]],
])("the format %s", (format, right, wrong) => {
  expect([...right, ...wrong].map((one) => [one, hasFormat(format, one)])).toEqual([
    ...right.map((one) => [one, true]),
    ...wrong.map((one) => [one, false]),
  ]);
  expect(hasFormat(format, "1".repeat(3_000))).toBe(false);
});

it("gives up on a check that would not end, and lets others have their turn meanwhile", () => {
  // Each level asks twice about the next one: 2^60 questions.
  const level = (at: number): object =>
    at === 0
      ? { type: "number" }
      : { anyOf: [{ $ref: `#/$defs/l${at - 1}` }, { $ref: `#/$defs/l${at - 1}` }] };
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`l${at}`, level(at)]));
  const { schema } = finishSliced(readSchema({ $ref: "#/$defs/l59", $defs }));
  const check = checkValue(schema!, "text");
  let turns = 0;
  for (let step = check.next(); ; step = check.next(), turns += 1)
    if (step.done) {
      expect(step.value).toEqual([{ path: [], message: expect.stringContaining("takes too long to check") }]);
      break;
    }
  expect(turns).toBeGreaterThan(500);
});

it("lets others have their turn within long texts, patterns, options and lists", () => {
  const turnsOf = (document: object, value: unknown) => {
    const check = checkValue(finishSliced(readSchema(document)).schema!, value);
    let turns = 0;
    while (!check.next().done) turns += 1;
    return turns;
  };
  const long = "x".repeat(1_000_000);
  expect(turnsOf({ enum: [{ a: long.slice(0, 90_000) }] }, { a: long })).toBeGreaterThan(0);
  expect(turnsOf({ ...text, minLength: 3 }, long)).toBeGreaterThan(0);
  expect(
    turnsOf({ ...list, items: { ...text, pattern: "(x+x+)+y" } }, Array(100).fill(long.slice(0, 5_000))),
  ).toBeGreaterThan(10);
  expect(
    turnsOf(
      { ...list, uniqueItems: true },
      Array.from({ length: 10_000 }, (_, at) => at),
    ),
  ).toBeGreaterThan(3);
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`p${at}`, 1]));
  expect(turnsOf({ ...object, patternProperties: { "^(a|b)+$": text } }, wide)).toBeGreaterThan(1);
  expect(
    turnsOf(
      { ...list, items: { ...object, required: ["a"] } },
      Array.from({ length: 3_000 }, () => ({ a: 1 })),
    ),
  ).toBeGreaterThan(1);
  const names = Array.from({ length: 5_000 }, (_, at) => `p${at}`);
  expect(turnsOf({ ...object, required: names }, {})).toBe(1);
});

it("does not take a fault of the service for a check that costs too much", () => {
  const { schema } = finishSliced(readSchema(object));
  const broken = {
    get a() {
      throw new Error("broken");
    },
  };
  expect(() => finishSliced(checkValue(schema!, broken))).toThrow("broken");
});
