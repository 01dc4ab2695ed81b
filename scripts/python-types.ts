import type { z } from "zod";
import { baseOf, fingerprint, LEAST_FIELDS, type NamedSchema, withoutBase } from "./wire-bases.ts";

type Schema = z.core.JSONSchema.BaseSchema;

const KEYWORDS = new Set([
  "from",
  "in",
  "is",
  "not",
  "and",
  "or",
  "if",
  "else",
  "for",
  "class",
  "def",
  "with",
  "as",
  "import",
]);
const PLAIN: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const HEAD = `# Written by \`npm run wire\` from packages/contract; do not edit.
"""What is exchanged with the service, as it stands in its JSON."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
`;

/** The wire types for Python: a TypedDict for each object, those inside others under the name of both. */
export function renderPythonTypes(all: readonly NamedSchema[]): string {
  const names = new Map(all.map(({ name, schema }) => [fingerprint(schema), name]));
  const made: string[] = [];

  const typeOf = (schema: Schema, name: string, self?: string): string => {
    const known = names.get(fingerprint(schema));
    if (known !== undefined && known !== self) return known;
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
    if (choices)
      return union(choices.map((choice, at) => typeOf(choice, `${name}${choiceName(choice, at)}`)));
    if (schema.type === "array") return `list[${typeOf(schema.items as Schema, `${name}Item`)}]`;
    if (schema.type === "object") return objectOf(schema, name, self === undefined ? undefined : base(name));
    const types = [schema.type ?? []].flat();
    return types.length > 0 ? union(types.map((type) => PLAIN[type]!)) : "Any";
  };

  const base = (name: string): NamedSchema | undefined => {
    const found = baseOf(
      all.find((named) => named.name === name)!,
      all,
    );
    // It has to stand above whatever extends it.
    if (found) write(found);
    return found;
  };

  const objectOf = (whole: Schema, name: string, base?: NamedSchema): string => {
    if (!whole.properties)
      return `dict[str, ${typeOf((whole.additionalProperties ?? {}) as Schema, `${name}Value`)}]`;
    const required = new Set(whole.required);
    const schema = withoutBase(whole, base);
    const fields = Object.entries(schema.properties as Record<string, Schema>).map(([key, property]) => {
      const word = key.replaceAll(/\W/g, "");
      const type = typeOf(property, `${name}${word.charAt(0).toUpperCase()}${word.slice(1)}`);
      return {
        key,
        description: property.description,
        type: required.has(key) ? type : `NotRequired[${type}]`,
      };
    });
    made.push(renderObject(name, fields, base?.name));
    // The next one that is the same takes this name.
    if (fields.length >= LEAST_FIELDS) names.set(fingerprint(whole), name);
    return name;
  };

  const written = new Set<string>();
  const write = ({ name, schema }: NamedSchema): void => {
    if (written.has(name)) return;
    written.add(name);
    const type = typeOf(schema, name, name);
    if (type !== name) made.push(`${name}: TypeAlias = ${quoted(type)}\n`);
  };
  for (const named of all) write(named);
  return [HEAD, ...made].join("\n\n");
}

interface Field {
  readonly key: string;
  readonly description: string | undefined;
  readonly type: string;
}

/** By call where a name is a word of the language. */
function renderObject(name: string, fields: readonly Field[], base = "TypedDict"): string {
  if (fields.some(({ key }) => KEYWORDS.has(key) || !/^[A-Za-z_]\w*$/.test(key))) {
    const lines = fields.map(({ key, type }) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},`);
    return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("\n")}\n    },\n)\n`;
  }
  const lines = fields.flatMap(({ key, type, description }) => [
    `    ${key}: ${type}`,
    ...(description ? [`    ${docstring(description)}`] : []),
  ]);
  return `class ${name}(${base}):\n${lines.length > 0 ? lines.join("\n") : "    pass"}\n`;
}

function docstring(text: string): string {
  return `"""${text.replaceAll("\\", "\\\\").replaceAll('"', "'")}"""`;
}

/** A choice by the type that it has, where that tells them apart. */
function choiceName(choice: Schema, at: number): string {
  const kind = (choice.properties as Record<string, Schema> | undefined)?.["type"];
  const text = typeof kind?.const === "string" ? kind.const : String(at + 1);
  return text.replaceAll(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function literal(value: unknown): string {
  return value === true
    ? "True"
    : value === false
      ? "False"
      : value === null
        ? "None"
        : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  const several = [...new Set(types)];
  return several.includes("Any") ? "Any" : several.join(" | ");
}

/** Names may stand further down. */
function quoted(type: string): string {
  return type.startsWith("Literal[") ? type : JSON.stringify(type);
}
