import { escapeHtml } from "../escape-html.ts";
import { nameOf, type OpenApi, resolve, type Schema } from "./open-api-types.ts";

const MAX_DEPTH = 8;

/** A schema as a list of its fields, each with type, limits and words. Named ones are told once, and linked to. */
export function schemaHtml(document: OpenApi, schema: Schema, depth = 0): string {
  if (schema.$ref) return `<p>${typeHtml(schema)}</p>`;
  const inner = fieldsHtml(document, schema, depth);
  if (inner !== "") return `<ul class="schema">${inner}</ul>`;
  return `<p>${typeHtml(schema)}${limits(schema)}${words(schema)}</p>`;
}

function fieldsHtml(document: OpenApi, schema: Schema, depth: number): string {
  if (depth > MAX_DEPTH || schema.$ref) return "";
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const required = schema.required?.includes(name) ? ' <span class="required">required</span>' : "";
    return `<li><code>${escapeHtml(name)}</code> ${typeHtml(field)}${limits(field)}${required}${words(field)}${nested(document, field, depth)}</li>`;
  });
  const others = [...(schema.allOf ?? []), ...alternatives(schema)].map((one) =>
    nested(document, one, depth, typeHtml(one)),
  );
  const any = schema.additionalProperties;
  const rest =
    typeof any === "object" && isTold(any)
      ? [`<li><code>…</code> ${typeHtml(any)}${words(any)}${nested(document, any, depth)}</li>`]
      : [];
  return (
    [...own, ...others, ...rest].join("") + (schema.items ? fieldsHtml(document, schema.items, depth) : "")
  );
}

function nested(document: OpenApi, schema: Schema, depth: number, head = ""): string {
  const inner = fieldsHtml(document, schema, depth + 1);
  if (head !== "") return `<li>${head}${limits(schema)}${words(schema)}${inner && `<ul>${inner}</ul>`}</li>`;
  return inner && `<ul>${inner}</ul>`;
}

/** Where there is a choice between objects; a choice between plain types is told in a word. */
function alternatives(schema: Schema): readonly Schema[] {
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  return choices.some((one) => one.properties ?? one.$ref ?? one.items) ? choices : [];
}

function isTold(schema: Schema): boolean {
  return Object.keys(schema).length > 0;
}

function typeHtml(schema: Schema): string {
  const inner = schema.items && nameOf(schema.items);
  if (inner !== undefined) return `<span class="type">list of</span> ${typeHtml(schema.items!)}`;
  const name = nameOf(schema);
  if (name !== undefined) return `<a class="type" href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  return `<span class="type">${escapeHtml(typeText(schema))}</span>`;
}

export function typeText(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" | ");
  if (schema.items) return `list of ${typeText(schema.items)}`;
  const type = [schema.type ?? (schema.properties ? "object" : "any")].flat().join(" | ");
  return schema.format ? `${type} (${schema.format})` : type;
}

const LIMITS = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "above"],
  ["maximum", "at most"],
  ["minLength", "length at least"],
  ["maxLength", "length at most"],
  ["maxItems", "items at most"],
] as const;

function limits(schema: Schema): string {
  const told = LIMITS.flatMap(([keyword, text]) => {
    const value = schema[keyword];
    return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? [] : [`${text} ${value}`];
  });
  if (schema.default !== undefined) told.push(`default ${JSON.stringify(schema.default)}`);
  return told.length > 0 ? ` <span class="type">${escapeHtml(told.join(", "))}</span>` : "";
}

function words({ description }: Schema): string {
  return description ? `<br><span class="muted">${proseHtml(description)}</span>` : "";
}

/** What stands in backticks is code. */
export function proseHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/** Also through references: where an envelope holds the codes that it can carry. */
export function codesOf(document: OpenApi, schema: Schema | undefined): string[] {
  if (!schema) return [];
  const { properties, allOf = [], anyOf = [], oneOf = [] } = resolve(document, schema);
  const own = properties?.["code"] && resolve(document, properties["code"]);
  const codes = own?.enum ?? (own?.const === undefined ? [] : [own.const]);
  return [
    ...codes.map(String),
    ...[...allOf, ...anyOf, ...oneOf].flatMap((one) => (one === schema ? [] : codesOf(document, one))),
  ];
}
