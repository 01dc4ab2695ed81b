import type { Pattern } from "./pattern.ts";

export const jsonTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** A JSON Schema that was read: what each keyword asks for, with references followed. Keywords that ask for nothing are left out. */
export interface SchemaNode {
  /** `false` as a schema. */
  refusesAll?: true;
  types?: readonly JsonType[];
  options?: SchemaOptions;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: Pattern;
  format?: string;
  prefixItems?: readonly SchemaNode[];
  items?: SchemaNode;
  contains?: SchemaNode;
  minContains?: number;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: ReadonlyMap<string, SchemaNode>;
  patternProperties?: readonly (readonly [Pattern, SchemaNode])[];
  additionalProperties?: SchemaNode;
  propertyNames?: SchemaNode;
  required?: readonly string[];
  minProperties?: number;
  maxProperties?: number;
  dependentRequired?: readonly (readonly [string, readonly string[]])[];
  ref?: SchemaNode;
  allOf?: readonly SchemaNode[];
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  not?: SchemaNode;
  if?: SchemaNode;
  /** `then` and `else`. */
  ifTrue?: SchemaNode;
  ifFalse?: SchemaNode;
}

/** Of `enum` and `const`. */
interface SchemaOptions {
  readonly keys: ReadonlySet<string>;
  /** Some of them are lists or objects. */
  readonly hasNested: boolean;
  /** For the text of a fault. */
  readonly shown: string;
}

/** What the schemas above say of the same value. */
export interface SchemaContext {
  readonly types: readonly JsonType[];
}
