import type { Problem } from "../documents/fault.ts";
import { isObject } from "../json-schema/keywords.ts";
import { readSchema } from "../json-schema/read-schema.ts";
import type { SchemaNode } from "../json-schema/schema-node.ts";
import type { Sliced } from "../sliced.ts";

const MAX_FIELDS = 50;
const SIMPLE = ["string", "number", "integer", "boolean"] as const;

/** A field of a form, as a page shows it. */
export interface FormField {
  readonly name: string;
  readonly type: (typeof SIMPLE)[number];
  readonly title: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly options: readonly (string | number | boolean)[] | undefined;
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ApprovalForm = { readonly schema: SchemaNode; readonly fields: readonly FormField[] };

/** The form of an approval: a JSON Schema of an object whose properties are texts, numbers and choices, so that a page can ask for them. */
export function* readForm(form: unknown): Sliced<{ form?: ApprovalForm; problems: readonly Problem[] }> {
  const { schema, problems } = yield* readSchema(form);
  if (!schema) return { problems };
  const { type, properties = {}, required = [] } = form as Record<string, unknown>;
  const entries = Object.entries(properties as Record<string, unknown>);
  if (type !== "object" || entries.length === 0)
    return { problems: [{ path: [], message: 'must have "type": "object" and properties' }] };
  if (entries.length > MAX_FIELDS)
    return { problems: [{ path: ["properties"], message: `must be at most ${MAX_FIELDS}` }] };
  const complex = entries.flatMap(([name, field]): Problem[] =>
    isSimple(field)
      ? []
      : [{ path: ["properties", name], message: `must have one of the types ${SIMPLE.join(", ")}` }],
  );
  if (complex.length > 0) return { problems: complex };
  const fields = entries.map(([name, field]) =>
    fieldOf(name, field as Record<string, unknown>, required as string[]),
  );
  return { form: { schema, fields }, problems: [] };
}

function isSimple(field: unknown): boolean {
  return isObject(field) && SIMPLE.some((type) => type === field["type"]);
}

function fieldOf(name: string, field: Record<string, unknown>, required: readonly string[]): FormField {
  return {
    name,
    type: field["type"] as FormField["type"],
    title: (field["title"] as string | undefined) ?? name,
    description: field["description"] as string | undefined,
    isRequired: required.includes(name),
    options: field["enum"] as FormField["options"],
    schema: field,
  };
}

/** Who rejects need not fill in what an approval asks for. */
export function schemaOfAnswer({ schema }: ApprovalForm, decision: string): SchemaNode {
  return decision === "approved" ? schema : { ...schema, required: [], minProperties: 0 };
}

/** What a page has sent, in the types that the form asks for. What cannot be read as such stays a text, and is refused as one. */
export function dataOfFields(
  { fields }: ApprovalForm,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = fields.flatMap(({ name, type, options }): [string, unknown][] => {
    const value = given[`data.${name}`];
    if (type === "boolean" && options === undefined) return [[name, value !== undefined]];
    if (typeof value !== "string" || value === "") return [];
    if (options) return [[name, options.find((option) => String(option) === value) ?? value]];
    const number = type === "string" ? Number.NaN : Number(value);
    return [[name, Number.isNaN(number) ? value : number]];
  });
  return Object.fromEntries(entries);
}
