import { formatNames } from "./formats.ts";
import { type JsonType, jsonTypes } from "./schema-node.ts";

/** What a keyword's value is. */
export type KeywordKind =
  | "note"
  | "schema"
  | "schemas"
  | "schemas by name"
  | "number"
  | "count"
  | "flag"
  | "pattern"
  | "format"
  | "names"
  | "names by name"
  | "types"
  | "options"
  | "option"
  | "dialect"
  | "reference";

interface Keyword {
  readonly kind: KeywordKind;
  /** Looks at values of this type alone, so the schema has to name it. */
  readonly for?: JsonType;
  /** Asks for nothing without this one beside it. */
  readonly needs?: readonly string[];
  /** Looks at the same value as the schema that holds it. */
  readonly inPlace?: true;
}

const dialect = "https://json-schema.org/draft/2020-12/schema";

/** The keywords of JSON Schema 2020-12 that a schema of ours may use; every other one is a fault. */
export const keywords: Readonly<Record<string, Keyword>> = {
  $schema: { kind: "dialect" },
  $comment: { kind: "note" },
  title: { kind: "note" },
  description: { kind: "note" },
  default: { kind: "note" },
  examples: { kind: "note" },
  deprecated: { kind: "note" },
  readOnly: { kind: "note" },
  writeOnly: { kind: "note" },
  $defs: { kind: "schemas by name" },
  $ref: { kind: "reference", inPlace: true },
  type: { kind: "types" },
  enum: { kind: "options" },
  const: { kind: "option" },
  minimum: { kind: "number", for: "number" },
  maximum: { kind: "number", for: "number" },
  exclusiveMinimum: { kind: "number", for: "number" },
  exclusiveMaximum: { kind: "number", for: "number" },
  multipleOf: { kind: "number", for: "number" },
  minLength: { kind: "count", for: "string" },
  maxLength: { kind: "count", for: "string" },
  pattern: { kind: "pattern", for: "string" },
  format: { kind: "format", for: "string" },
  prefixItems: { kind: "schemas", for: "array" },
  items: { kind: "schema", for: "array" },
  contains: { kind: "schema", for: "array" },
  minContains: { kind: "count", for: "array", needs: ["contains"] },
  maxContains: { kind: "count", for: "array", needs: ["contains"] },
  minItems: { kind: "count", for: "array" },
  maxItems: { kind: "count", for: "array" },
  uniqueItems: { kind: "flag", for: "array" },
  properties: { kind: "schemas by name", for: "object" },
  patternProperties: { kind: "schemas by name", for: "object" },
  additionalProperties: { kind: "schema", for: "object" },
  propertyNames: { kind: "schema", for: "object" },
  required: { kind: "names", for: "object" },
  minProperties: { kind: "count", for: "object" },
  maxProperties: { kind: "count", for: "object" },
  dependentRequired: { kind: "names by name", for: "object" },
  allOf: { kind: "schemas", inPlace: true },
  anyOf: { kind: "schemas", inPlace: true },
  oneOf: { kind: "schemas", inPlace: true },
  not: { kind: "schema", inPlace: true },
  if: { kind: "schema", inPlace: true, needs: ["then", "else"] },
  ...Object.fromEntries(
    ["then", "else"].map((name) => [name, { kind: "schema", inPlace: true, needs: ["if"] }]),
  ),
};

/** What is wrong with the value of a keyword, beside the schemas in it. */
export function keywordProblem(kind: KeywordKind, name: string, value: unknown): string | undefined {
  switch (kind) {
    case "schema":
      return isSchema(value) ? undefined : "must be a schema: an object, true or false";
    case "schemas":
      return Array.isArray(value) && value.length > 0 && value.every(isSchema)
        ? undefined
        : "must be a list of at least one schema";
    case "schemas by name":
      return isObject(value) && Object.values(value).every(isSchema)
        ? undefined
        : "must be an object of schemas";
    case "number":
      if (typeof value !== "number") return "must be a number";
      return name === "multipleOf" && value <= 0 ? "must be above 0" : undefined;
    case "count":
      return Number.isSafeInteger(value) && (value as number) >= 0
        ? undefined
        : "must be a whole number, 0 or more";
    case "flag":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "pattern":
      return typeof value === "string" ? undefined : "must be a text";
    case "format":
      return formatNames.includes(value as string) ? undefined : `must be one of ${formatNames.join(", ")}`;
    case "names":
      return isNames(value) ? undefined : "must be a list of different names";
    case "names by name":
      return isObject(value) && Object.values(value).every(isNames)
        ? undefined
        : "must be an object of lists of names";
    case "types":
      return typesProblem(value);
    case "options":
      return Array.isArray(value) && value.length > 0 ? undefined : "must be a list of at least one value";
    case "dialect":
      return value === dialect || value === `${dialect}#` ? undefined : `must be ${dialect}`;
    case "reference":
      return typeof value === "string" && /^#(\/|$)/.test(value)
        ? undefined
        : "must lead to a schema of the same document, such as #/$defs/name";
    case "note":
      return noteProblem(name, value);
    case "option":
      return undefined;
  }
}

function noteProblem(name: string, value: unknown): string | undefined {
  if (name === "default") return undefined;
  if (name === "examples") return Array.isArray(value) ? undefined : "must be a list";
  if (name === "deprecated" || name === "readOnly" || name === "writeOnly")
    return typeof value === "boolean" ? undefined : "must be true or false";
  return typeof value === "string" ? undefined : "must be a text";
}

function typesProblem(value: unknown): string | undefined {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isKnown = types.every((type) => jsonTypes.includes(type as JsonType));
  if (!isKnown || types.length === 0 || new Set(types).size < types.length)
    return `must be one of ${jsonTypes.join(", ")}`;
  return types.length > 2 || (types.length === 2 && !types.includes("null"))
    ? "must be one type, or one and null; use anyOf for alternatives"
    : undefined;
}

function isSchema(value: unknown): value is Record<string, unknown> | boolean {
  return typeof value === "boolean" || isObject(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNames(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === "string") &&
    new Set(value).size === value.length
  );
}
