import { describe, expect, it } from "vitest";
import { formatNames } from "../../../src/domain/json-schema/formats.ts";
import { problemsOf, issuesOf, text, object, list, keyed } from "./support.ts";

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
