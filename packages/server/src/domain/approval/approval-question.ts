/** What programs that ask people understand of a field; all else is checked when the answer comes. */
const FIELD_KEYS = [
  "type",
  "title",
  "description",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "default",
] as const;
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

type Schema = Readonly<Record<string, unknown>>;

/** The form of an approval as a flat object of plain fields: what an MCP client can show. */
export interface QuestionSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** `form` is one that an approval may have: an object of texts, numbers, truth values and choices. */
export function questionSchema(form: Schema | undefined): QuestionSchema {
  if (!form) return { type: "object", properties: {} };
  const properties = Object.entries((form["properties"] ?? {}) as Record<string, Schema>);
  const required = (form["required"] ?? []) as readonly string[];
  return {
    type: "object",
    properties: Object.fromEntries(properties.map(([name, field]) => [name, fieldSchema(field)])),
    ...(required.length > 0 && { required }),
  };
}

function fieldSchema(field: Schema): Schema {
  const kept = Object.fromEntries(
    FIELD_KEYS.filter((key) => field[key] !== undefined).map((key) => [key, field[key]]),
  );
  const options = field["enum"];
  if (Array.isArray(options)) {
    // Only texts can be chosen from; of other choices the description tells.
    if (field["type"] === "string") return { ...withoutLengths(kept), enum: options };
    const told = `One of ${options.map(String).join(", ")}.`;
    return { ...kept, description: [kept["description"], told].filter(Boolean).join(" ") };
  }
  return FORMATS.has(field["format"]) ? { ...kept, format: field["format"] } : kept;
}

function withoutLengths({ minLength: _min, maxLength: _max, ...field }: Schema): Schema {
  return field;
}
