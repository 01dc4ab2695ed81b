export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

export interface SchemaRow {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

const MAX_DEPTH = 4;
const MAX_ROWS = 60;

/** The fields of a value, inner ones with their path: `data.items[].id`. */
export function rowsOf(schema: JsonSchema | undefined, document: object): SchemaRow[] {
  const rows: SchemaRow[] = [];
  const visit = (unread: JsonSchema, path: string, depth: number): void => {
    const { schema: inner } = follow(unread, document);
    const { items, properties = {} } = inner;
    if (items) return visit(items, `${path}[]`, depth);
    for (const part of [...(inner.allOf ?? []), ...(inner.anyOf ?? []), ...(inner.oneOf ?? [])])
      if (depth < MAX_DEPTH) visit(part, path, depth + 1);
    for (const [key, field] of Object.entries(properties)) {
      if (rows.length >= MAX_ROWS) return;
      const name = path === "" ? key : `${path}.${key}`;
      const { schema: read } = follow(field, document);
      // Both forms of an answer may have the same field.
      if (!rows.some((row) => row.name === name))
        rows.push({
          name,
          type: typeText(field, document),
          description: field.description ?? read.description ?? "",
        });
      if (depth < MAX_DEPTH) visit(field, name, depth + 1);
    }
  };
  if (schema) visit(schema, "", 0);
  return rows;
}

function follow(
  schema: JsonSchema,
  document: object,
): { readonly schema: JsonSchema; readonly name?: string } {
  if (schema.$ref === undefined) return { schema };
  const keys = schema.$ref.slice(2).split("/");
  let found: unknown = document;
  for (const key of keys) found = (found as Record<string, unknown> | undefined)?.[key];
  return { schema: (found ?? {}) as JsonSchema, name: keys.at(-1)! };
}

function typeText(unread: JsonSchema, document: object): string {
  const { schema, name } = follow(unread, document);
  if (name !== undefined && schema.properties) return name;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return [...new Set(choices.map((choice) => typeText(choice, document)))].filter(Boolean).join(" or ");
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(" ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.items) return `list of ${typeText(schema.items, document) || "anything"}`;
  return [schema.type ?? []].flat().join(" or ");
}
