import type { FieldPlace } from "../field-place.ts";
import type { InputSchema } from "../node-types.ts";

export type FieldKind =
  | { readonly kind: "choice"; readonly options: readonly unknown[] }
  | { readonly kind: "switch" }
  | { readonly kind: "number" }
  | { readonly kind: "record" }
  | { readonly kind: "list"; readonly item: InputSchema }
  | { readonly kind: "value"; readonly language: FieldPlace["language"] }
  | { readonly kind: "text"; readonly language: FieldPlace["language"] };

/** Code whose language its schema cannot say. */
const CODE: Readonly<Record<string, FieldPlace["language"]>> = {
  "code.source": "javascript",
  "sql.query": "sql",
};
/** Objects that are JSON Schemas: their keys are no rows of a table. */
const SCHEMAS = new Set(["approval.form", "llm.schema"]);

/** What kind of field an input of a node is written in. */
export function fieldKind(
  nodeType: string,
  name: string,
  schema: InputSchema,
  isBareExpression: boolean,
): FieldKind {
  const place = `${nodeType}.${name}`;
  if (isBareExpression) return { kind: "text", language: "expression" };
  if (CODE[place]) return { kind: "text", language: CODE[place] };
  const plain = withoutNull(schema);
  if (plain.enum) return { kind: "choice", options: plain.enum };
  const types = typesOf(plain);
  if (SCHEMAS.has(place)) return { kind: "value", language: "json" };
  if (types.length === 1) {
    if (types[0] === "boolean") return { kind: "switch" };
    if (types[0] === "number" || types[0] === "integer") return { kind: "number" };
    if (types[0] === "string") return { kind: "text", language: "template" };
    if (types[0] === "object" && !plain.properties) return { kind: "record" };
    if (types[0] === "array" && plain.items?.properties) return { kind: "list", item: plain.items };
  }
  return {
    kind: "value",
    language: types.includes("object") || types.includes("array") ? "json" : "template",
  };
}

/** Nothing is what an empty field says. */
function withoutNull(schema: InputSchema): InputSchema {
  const options = schema.anyOf?.filter(({ type }) => type !== "null");
  if (options?.length !== 1) return schema;
  return { ...options[0], ...(schema.description && { description: schema.description }) };
}

function typesOf(schema: InputSchema): string[] {
  const own = [schema.type ?? []].flat().filter((type) => type !== "null");
  return [...new Set([...own, ...(schema.anyOf ?? []).flatMap(typesOf)])];
}
