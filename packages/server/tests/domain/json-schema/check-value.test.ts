import { describe, expect, it } from "vitest";
import { issuesOf, text, object, list, keyed } from "./support.ts";

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
