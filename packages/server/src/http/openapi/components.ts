import { namedSchemas } from "@millrace/contract/named-schemas";
import { z } from "zod";
import type { Sliced } from "../../domain/sliced.ts";
import { examples } from "./examples.ts";

export type Schema = Record<string, unknown>;
type Direction = "input" | "output";

/** The named schemas of a document: whatever is the same as one of the contract's names refers to it. */
export class Components {
  /** Only those that something refers to. */
  readonly schemas: Record<string, Schema> = {};
  readonly #names = new Map<string, string>();
  readonly #known = new Map<string, Schema>();

  private constructor() {}

  static *ofContract(): Sliced<Components> {
    const components = new Components();
    for (const { answers, requests } of Object.values(namedSchemas)) {
      yield* components.#nameAll(answers, "output");
      yield* components.#nameAll(requests, "input");
    }
    return components;
  }

  /** A schema in which all that has a name is a reference. */
  of(schema: z.ZodType, direction: Direction = "output"): Schema {
    return this.#refer(jsonSchema(schema, direction));
  }

  /** The same as a component of this name, unless the contract has another one for it. */
  named(name: string, schema: z.ZodType, direction: Direction = "output"): Schema {
    return this.component(name, this.of(schema, direction));
  }

  /** A component of its own, where the schema is an object and no reference yet. */
  component(name: string, schema: Schema): Schema {
    if (!schema["properties"]) return schema;
    this.schemas[name] = withExample(name, schema);
    return reference(name);
  }

  *#nameAll(schemas: Readonly<Record<string, z.ZodType>>, direction: Direction): Sliced<void> {
    for (const [name, described] of Object.entries(schemas)) {
      const schema = jsonSchema(described, direction);
      this.#names.set(fingerprint(schema), name);
      this.#known.set(name, schema);
      yield;
    }
  }

  #refer(schema: Schema, self?: string): Schema {
    const name = this.#names.get(fingerprint(schema));
    if (name === undefined || name === self) return this.#inside(schema);
    this.#register(name);
    const { description } = schema;
    // What is said of a place is kept beside what is said of the thing.
    return { ...reference(name), ...(description !== undefined && { description }) };
  }

  #register(name: string): void {
    if (this.schemas[name]) return;
    // Before its parts are looked at: one of them may lead back.
    this.schemas[name] = {};
    this.schemas[name] = withExample(name, this.#refer(this.#known.get(name)!, name));
  }

  #inside(schema: Schema): Schema {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (keyword === "properties" && isObject(value))
          return [
            keyword,
            mapValues(value, (part) => (isObject(part) ? sayDefault(this.#refer(part)) : part)),
          ];
        if (["items", "additionalProperties", "propertyNames"].includes(keyword) && isObject(value))
          return [keyword, this.#refer(value)];
        if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(keyword) && Array.isArray(value))
          return [keyword, value.map((part: Schema) => this.#refer(part))];
        return [keyword, value];
      }),
    );
  }
}

/** As zod writes it, without the dialect, which the document states. */
export function jsonSchema(schema: z.ZodType, io: Direction): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;
  return rest;
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function withExample(name: string, schema: Schema): Schema {
  const example = examples[name];
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** In words: generators take what has a `default` for something that must be there, in requests too. */
function sayDefault({ default: value, ...schema }: Schema): Schema {
  if (value === undefined) return schema;
  const words = `default ${JSON.stringify(value)}`;
  const { description } = schema;
  return { ...schema, description: typeof description === "string" ? `${description}; ${words}` : words };
}

/** What makes two schemas the same; words about them do not count. */
function fingerprint(schema: Schema): string {
  const unsaid = new Set(["description", "default"]);
  return JSON.stringify(schema, (key, value: unknown) => (unsaid.has(key) ? undefined : value));
}

function mapValues(values: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
