import type { z } from "zod";

type Schema = z.core.JSONSchema.BaseSchema;

/** A type of the contract under its name, as it is sent or as it is answered. */
export interface NamedSchema {
  readonly area: string;
  readonly name: string;
  readonly schema: Schema;
  readonly io: "input" | "output";
}

/** Fewer fields that are alike are more likely chance than kinship. */
export const LEAST_FIELDS = 3;

/** The object, of all that have names, most of whose fields another one repeats: what extends it says the rest alone. */
export function baseOf(named: NamedSchema, all: readonly NamedSchema[]): NamedSchema | undefined {
  const fields = fieldsOf(named.schema);
  return all
    .filter(({ io, schema }) => {
      const base = fieldsOf(schema);
      if (io !== named.io || base.size < LEAST_FIELDS || base.size >= fields.size) return false;
      return base.entries().every(([name, type]) => fields.get(name) === type);
    })
    .toSorted((a, b) => fieldsOf(b.schema).size - fieldsOf(a.schema).size)[0];
}

/** What an object says beside its base. */
export function withoutBase(schema: Schema, base: NamedSchema | undefined): Schema {
  if (!base) return schema;
  const inherited = fieldsOf(base.schema);
  const own = Object.entries(schema.properties!).filter(([name]) => !inherited.has(name));
  return { ...schema, properties: Object.fromEntries(own) };
}

/** What makes two schemas the same type; words about them do not count, nor whether further fields are refused. */
export function fingerprint(schema: Schema): string {
  const unsaid = new Set(["$schema", "description", "default"]);
  return JSON.stringify(schema, (key, value: unknown) => {
    if (unsaid.has(key)) return undefined;
    if (!isObjectSchema(value)) return value;
    const { additionalProperties: _, ...said } = value;
    return said;
  });
}

function isObjectSchema(value: unknown): value is Schema {
  const schema = value as Schema | null;
  return schema?.type === "object" && schema.properties !== undefined;
}

const known = new WeakMap<Schema, ReadonlyMap<string, string>>();

/** The type of each field, and whether it is always there. */
function fieldsOf(schema: Schema): ReadonlyMap<string, string> {
  const { properties = {}, required = [] } = schema;
  const fields =
    known.get(schema) ??
    new Map(
      Object.entries(properties).map(([name, property]) => [
        name,
        `${required.includes(name)} ${fingerprint(property as Schema)}`,
      ]),
    );
  known.set(schema, fields);
  return fields;
}
