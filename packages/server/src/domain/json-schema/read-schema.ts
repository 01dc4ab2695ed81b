import { nearestName } from "@millrace/contract/documents/nearest-name";
import type { Problem } from "../documents/fault.ts";
import { measureJson } from "../json-measure.ts";
import type { Sliced } from "../sliced.ts";
import { isObject, type KeywordKind, keywordProblem, keywords } from "./keywords.ts";
import { type Pattern, readPattern } from "./pattern.ts";
import { SchemaMeter } from "./schema-meter.ts";
import type { JsonType, SchemaContext, SchemaNode } from "./schema-node.ts";
import { strictProblems } from "./strict-rules.ts";
import { valueKey } from "./value-key.ts";

const MAX_BYTES = 100_000;
const MAX_SCHEMAS = 1_000;
const MAX_PATTERNS = 20;
const MAX_PROBLEMS = 20;
const MAX_SHOWN_OPTIONS = 200;

type Path = readonly PropertyKey[];

export type SchemaReading =
  | { readonly schema: SchemaNode; readonly problems: readonly [] }
  | { readonly schema?: undefined; readonly problems: readonly Problem[] };

/** Reads a JSON Schema as strictly as ajv in its strict mode: whatever would silently ask for nothing is a fault. */
export function* readSchema(document: unknown): Sliced<SchemaReading> {
  if (!isObject(document)) return { problems: [{ path: [], message: "must be a JSON Schema: an object" }] };
  const size = measureJson(document, { bytes: MAX_BYTES, values: Infinity, depth: 64 });
  if (typeof size !== "number")
    return { problems: [{ path: [], message: size === "bytes" ? TOO_LONG : "is nested too deeply" }] };
  const reader = new SchemaReader(document);
  const schema = yield* reader.read(document, [], { types: [] });
  yield* reader.followReferences();
  const { problems } = reader;
  return problems.length > 0 ? { problems } : { schema, problems: [] };
}

const TOO_LONG = `must have at most ${MAX_BYTES} characters`;

class SchemaReader {
  readonly problems: Problem[] = [];
  readonly #root: Record<string, unknown>;
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #references: { node: SchemaNode; pointer: string; path: Path }[] = [];
  readonly #meter = new SchemaMeter();
  #schemas = 0;
  #patterns = 0;

  constructor(root: Record<string, unknown>) {
    this.#root = root;
  }

  *read(schema: Record<string, unknown> | boolean, path: Path, context: SchemaContext): Sliced<SchemaNode> {
    const node: SchemaNode = {};
    if (++this.#schemas > MAX_SCHEMAS) {
      if (this.#schemas === MAX_SCHEMAS + 1) this.#report(path, `holds more than ${MAX_SCHEMAS} schemas`);
      return node;
    }
    if (schema === true) return node;
    if (schema === false) return { refusesAll: true };
    this.#nodes.set(schema, node);
    const usable = yield* this.#checkKeywords(schema, path);
    const { types, problems } = strictProblems(schema, context, usable);
    for (const { path: below, message } of problems) this.#report([...path, ...below], message);
    for (const name of usable) {
      const inner = keywords[name]!.inPlace ? { types } : NOTHING_KNOWN;
      Object.assign(node, yield* this.#readKeyword(node, name, schema[name], [...path, name], inner));
      yield;
    }
    yield* this.#refuseOverlaps(node, path);
    return node;
  }

  /** A property that has two schemas, one by its name and one by a pattern, is more often a mistake than not. */
  *#refuseOverlaps({ properties, patternProperties = [] }: SchemaNode, path: Path): Sliced<void> {
    for (const [pattern] of patternProperties) {
      for (const name of properties?.keys() ?? [])
        if (pattern.fits(name))
          this.#report([...path, "patternProperties", pattern.source], `fits the property "${name}" too`);
      yield;
    }
  }

  /** The keywords whose values can be read. */
  *#checkKeywords(schema: Record<string, unknown>, path: Path): Sliced<string[]> {
    const usable: string[] = [];
    for (const name of Object.keys(schema)) {
      if (this.#meter.spend(1)) yield;
      const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
      const problem = keyword && keywordProblem(keyword.kind, name, schema[name]);
      if (keyword && problem === undefined) usable.push(name);
      else if (!this.#isEnough) this.#report([...path, name], problem ?? unknownKeyword(name));
    }
    return usable;
  }

  *#readKeyword(
    node: SchemaNode,
    name: string,
    value: unknown,
    path: Path,
    context: SchemaContext,
  ): Sliced<Partial<SchemaNode>> {
    const kind: KeywordKind = keywords[name]!.kind;
    switch (kind) {
      case "note":
      case "dialect":
        return {};
      case "reference":
        this.#references.push({ node, pointer: value as string, path });
        return {};
      case "schema": {
        const inner = name === "propertyNames" ? TEXT : context;
        return {
          [FIELDS.get(name) ?? name]: yield* this.read(value as Record<string, unknown>, path, inner),
        };
      }
      case "schemas": {
        const nodes: SchemaNode[] = [];
        for (const [index, schema] of (value as Record<string, unknown>[]).entries())
          nodes.push(yield* this.read(schema, [...path, index], context));
        return { [name]: nodes };
      }
      case "schemas by name":
        return yield* this.#readByName(name, value as Record<string, Record<string, unknown>>, path);
      case "pattern":
        return { pattern: this.#readPattern(value as string, path) };
      case "types":
        return { types: (Array.isArray(value) ? value : [value]) as JsonType[] };
      case "options":
      case "option":
        return yield* this.#readOptions(name === "enum" ? (value as unknown[]) : [value]);
      case "names by name":
        return { dependentRequired: Object.entries(value as Record<string, string[]>) };
      default:
        return { [name]: value };
    }
  }

  *#readByName(
    name: string,
    schemas: Record<string, Record<string, unknown>>,
    path: Path,
  ): Sliced<Partial<SchemaNode>> {
    const nodes = new Map<string, SchemaNode>();
    for (const [key, schema] of Object.entries(schemas))
      nodes.set(key, yield* this.read(schema, [...path, key], NOTHING_KNOWN));
    if (name === "properties") return { properties: nodes };
    if (name === "$defs") return {};
    const patterns: [Pattern, SchemaNode][] = [];
    for (const [source, node] of nodes) {
      const pattern = this.#readPattern(source, [...path, source]);
      if (pattern) patterns.push([pattern, node]);
      yield;
    }
    return { patternProperties: patterns };
  }

  #readPattern(source: string, path: Path): Pattern | undefined {
    if (++this.#patterns > MAX_PATTERNS) {
      if (this.#patterns === MAX_PATTERNS + 1) this.#report(path, `is more than ${MAX_PATTERNS} patterns`);
      return undefined;
    }
    const pattern = readPattern(source);
    if (typeof pattern !== "string") return pattern;
    this.#report(path, pattern);
    return undefined;
  }

  *#readOptions(values: readonly unknown[]): Sliced<Partial<SchemaNode>> {
    const keys = new Set<string>();
    for (const value of values) keys.add(yield* valueKey(value, this.#meter));
    const shown = [...keys].join(", ");
    return {
      options: {
        keys,
        hasNested: values.some((value) => typeof value === "object" && value !== null),
        shown: shown.length > MAX_SHOWN_OPTIONS ? `${shown.slice(0, MAX_SHOWN_OPTIONS)} …` : shown,
      },
    };
  }

  *followReferences(): Sliced<void> {
    for (const { node, pointer, path } of this.#references) {
      yield;
      const target = this.#nodes.get(at(this.#root, pointer) as object);
      if (target) node.ref = target;
      else this.#report(path, `there is no schema at ${pointer}`);
    }
    for (const { node, path } of this.#references)
      if (!this.#isEnough && (yield* this.#leadsBack(node)))
        this.#report(path, "leads back to itself, so it asks for nothing");
  }

  /** Whether a schema is asked about the same value again while it is being asked. */
  *#leadsBack(start: SchemaNode): Sliced<boolean> {
    const seen = new Set<SchemaNode>();
    const pending = inPlaceOf(start);
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (this.#meter.spend(1)) yield;
      if (node === start) return true;
      if (seen.has(node)) continue;
      seen.add(node);
      pending.push(...inPlaceOf(node));
    }
    return false;
  }

  get #isEnough(): boolean {
    return this.problems.length >= MAX_PROBLEMS;
  }

  #report(path: Path, message: string): void {
    if (!this.#isEnough) this.problems.push({ path, message });
  }
}

const FIELDS: ReadonlyMap<string, string> = new Map([
  ["then", "ifTrue"],
  ["else", "ifFalse"],
]);
const NOTHING_KNOWN: SchemaContext = { types: [] };
const TEXT: SchemaContext = { types: ["string"] };

function unknownKeyword(name: string): string {
  const nearest = nearestName(name, Object.keys(keywords));
  return nearest
    ? `unknown keyword "${name}"; did you mean "${nearest}"?`
    : `unknown keyword "${name}"; it is not one of JSON Schema 2020-12 that can be used here`;
}

function at(root: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, step) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, step)
          ? (value as Record<string, unknown>)[step]
          : undefined,
      root,
    );
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function inPlaceOf(node: SchemaNode): SchemaNode[] {
  const { ref, not, if: condition, ifTrue, ifFalse, allOf = [], anyOf = [], oneOf = [] } = node;
  const single = [ref, not, condition, ifTrue, ifFalse].filter((inner) => inner !== undefined);
  return [...single, ...allOf, ...anyOf, ...oneOf];
}
