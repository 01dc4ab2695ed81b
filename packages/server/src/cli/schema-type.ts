type Schema = Readonly<Record<string, unknown>>;

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};
/** Deeper than anybody writes, and where a schema that names itself ends. */
const MAX_DEPTH = 20;

/** A JSON Schema as a TypeScript type: as exact as types can be, and never narrower than the schema. */
export function typeOfSchema(schema: unknown): string {
  return render(schema, { root: schema, depth: 0 });
}

interface Place {
  readonly root: unknown;
  readonly depth: number;
}

function render(schema: unknown, { root, depth }: Place): string {
  if (schema === false) return "never";
  if (!isObject(schema) || depth > MAX_DEPTH) return "unknown";
  const inner = (part: unknown) => render(part, { root, depth: depth + 1 });
  if (typeof schema["$ref"] === "string") return inner(resolve(root, schema["$ref"]));
  if ("const" in schema) return literal(schema["const"]);
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map(literal));
  const choices = schema["anyOf"] ?? schema["oneOf"];
  const parts = [
    ...(Array.isArray(choices) ? [union(choices.map(inner))] : []),
    ...(Array.isArray(schema["allOf"]) ? schema["allOf"].map(inner) : []),
    ...own(schema, inner),
  ].filter((part) => part !== "unknown");
  return parts.length === 0 ? "unknown" : parts.length === 1 ? parts[0]! : parts.map(grouped).join(" & ");
}

/** What `type` and the keywords beside it say. */
function own(schema: Schema, inner: (part: unknown) => string): string[] {
  const types = [schema["type"] ?? (isObject(schema["properties"]) ? "object" : [])].flat() as string[];
  if (types.length === 0) return [];
  return [
    union(
      types.map((type) => {
        if (type === "array") return listType(schema, inner);
        if (type === "object") return objectType(schema, inner);
        return PLAIN[type] ?? "unknown";
      }),
    ),
  ];
}

function listType(schema: Schema, inner: (part: unknown) => string): string {
  const { prefixItems, items = {} } = schema as { prefixItems?: unknown; items?: unknown };
  if (!Array.isArray(prefixItems)) return `${grouped(inner(items))}[]`;
  const rest = items === false ? "" : `, ...${grouped(inner(items))}[]`;
  return `[${prefixItems.map((item) => `(${inner(item)})?`).join(", ")}${rest}]`;
}

function objectType(schema: Schema, inner: (part: unknown) => string): string {
  const { properties, required, additionalProperties } = schema;
  const isClosed = additionalProperties === false;
  if (!isObject(properties))
    return isClosed ? "Record<string, never>" : `Record<string, ${inner(additionalProperties)}>`;
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(([name, property]) => {
    const type = inner(property);
    return `${comment(property)}${JSON.stringify(name)}${needed.has(name) ? "" : "?"}: ${type};`;
  });
  // Types cannot say "any other name": what is not named is anything.
  if (!isClosed) members.push("[name: string]: unknown;");
  return `{\n${members.join("\n").replaceAll(/^/gm, "  ")}\n}`;
}

function comment(property: unknown): string {
  const text = isObject(property) ? property["description"] : undefined;
  if (typeof text !== "string") return "";
  return `/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "* /")} */\n`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${literal(inner)}`);
  return `{ ${members.join("; ")} }`;
}

function union(types: readonly string[]): string {
  const several = [...new Set(types)];
  return several.includes("unknown") || several.length === 0 ? "unknown" : several.join(" | ");
}

function grouped(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}

/** `#/$defs/name`; anything else is not known. */
function resolve(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return {};
  const steps = reference.slice(1).split("/").slice(1);
  return steps.reduce<unknown>((at, step) => {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(at) ? at[name] : {};
  }, root);
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
