import type { Sliced } from "../sliced.ts";
import { hasFormat } from "./formats.ts";
import { isObject } from "./keywords.ts";
import { SchemaMeter, SchemaTooCostly } from "./schema-meter.ts";
import type { JsonType, SchemaNode } from "./schema-node.ts";
import { valueKey } from "./value-key.ts";

const MAX_ISSUES = 20;

export interface ValueIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What of the value does not fit the schema; nothing where all of it does. */
export function* checkValue(schema: SchemaNode, value: unknown): Sliced<readonly ValueIssue[]> {
  const check = new ValueCheck();
  try {
    yield* check.fits(schema, value, []);
  } catch (error) {
    if (!(error instanceof SchemaTooCostly)) throw error;
    return [{ path: [], message: "takes too long to check; send less, or simplify the schema" }];
  }
  return check.issues;
}

class ValueCheck {
  readonly issues: ValueIssue[] = [];
  readonly #meter = new SchemaMeter();
  /** Above 0 while alternatives are tried, whose faults are nobody's. */
  #trying = 0;

  *fits(node: SchemaNode, value: unknown, path: (string | number)[]): Sliced<boolean> {
    if (this.#meter.spend(1)) yield;
    if (node.refusesAll) return this.#refuse(path, "is not allowed");
    if (node.types && !node.types.some((type) => isOfType(value, type)))
      return this.#refuse(path, `must be ${node.types.map((type) => TYPE_NAMES[type]).join(" or ")}`);
    let fits = yield* this.#isOption(node, value, path);
    if (typeof value === "number") fits = this.#checkNumber(node, value, path) && fits;
    else if (typeof value === "string") fits = (yield* this.#checkText(node, value, path)) && fits;
    else if (Array.isArray(value)) fits = (yield* this.#checkList(node, value, path)) && fits;
    else if (isObject(value)) fits = (yield* this.#checkObject(node, value, path)) && fits;
    if (!fits && this.#trying > 0) return false;
    return (yield* this.#checkCombined(node, value, path)) && fits;
  }

  *#isOption({ options }: SchemaNode, value: unknown, path: (string | number)[]): Sliced<boolean> {
    if (!options) return true;
    const isNested = typeof value === "object" && value !== null;
    const isKnown = (options.hasNested || !isNested) && options.keys.has(yield* valueKey(value, this.#meter));
    if (isKnown) return true;
    return this.#refuse(path, `must be ${options.keys.size > 1 ? "one of " : ""}${options.shown}`);
  }

  #checkNumber(node: SchemaNode, value: number, path: (string | number)[]): boolean {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
    if (minimum !== undefined && value < minimum) return this.#refuse(path, `must be at least ${minimum}`);
    if (maximum !== undefined && value > maximum) return this.#refuse(path, `must be at most ${maximum}`);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
      return this.#refuse(path, `must be more than ${exclusiveMinimum}`);
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
      return this.#refuse(path, `must be less than ${exclusiveMaximum}`);
    if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
      return this.#refuse(path, `must be a multiple of ${multipleOf}`);
    return true;
  }

  *#checkText(node: SchemaNode, value: string, path: (string | number)[]): Sliced<boolean> {
    const { minLength = 0, maxLength = Infinity, pattern, format } = node;
    if (this.#meter.spend(value.length / 64 + (pattern?.cost(value) ?? 0))) yield;
    if (value.length < minLength || (value.length < 2 * minLength && lengthOf(value) < minLength))
      return this.#refuse(path, `must have at least ${minLength} characters`);
    if (value.length > 2 * maxLength || (value.length > maxLength && lengthOf(value) > maxLength))
      return this.#refuse(path, `must have at most ${maxLength} characters`);
    if (pattern && !pattern.fits(value))
      return this.#refuse(path, `must match the pattern ${pattern.source}`);
    if (format !== undefined && !hasFormat(format, value))
      return this.#refuse(path, `must have the format ${format}`);
    return true;
  }

  *#checkList(node: SchemaNode, list: readonly unknown[], path: (string | number)[]): Sliced<boolean> {
    const { prefixItems = [], items, minItems = 0, maxItems = Infinity, uniqueItems } = node;
    if (list.length < minItems) return this.#refuse(path, `must have at least ${minItems} items`);
    if (list.length > maxItems) return this.#refuse(path, `must have at most ${maxItems} items`);
    let fits = true;
    for (const [index, item] of list.entries()) {
      const schema = prefixItems[index] ?? items;
      if (!schema) break;
      if (!(yield* this.fits(schema, item, [...path, index]))) fits = false;
      if (!fits && this.#isEnough()) return false;
    }
    if (node.contains && !(yield* this.#checkContained(node, node.contains, list, path))) return false;
    if (!uniqueItems) return fits;
    const seen = new Set<string>();
    for (const item of list) seen.add(yield* valueKey(item, this.#meter));
    return seen.size === list.length ? fits : this.#refuse(path, "must not hold the same item twice");
  }

  *#checkContained(
    { minContains = 1, maxContains = Infinity }: SchemaNode,
    wanted: SchemaNode,
    list: readonly unknown[],
    path: (string | number)[],
  ): Sliced<boolean> {
    let count = 0;
    for (const item of list) if (yield* this.#wouldFit(wanted, item)) count += 1;
    if (count < minContains)
      return this.#refuse(path, `must hold at least ${minContains} of the wanted items`);
    if (count > maxContains)
      return this.#refuse(path, `must hold at most ${maxContains} of the wanted items`);
    return true;
  }

  *#checkObject(
    node: SchemaNode,
    value: Readonly<Record<string, unknown>>,
    path: (string | number)[],
  ): Sliced<boolean> {
    const { required = [], dependentRequired = [], minProperties = 0, maxProperties = Infinity } = node;
    let fits = yield* this.#hasAll(required, "is required", value, path);
    for (const [given, names] of dependentRequired) {
      if (this.#meter.spend(1)) yield;
      if (!Object.hasOwn(value, given)) continue;
      if (!(yield* this.#hasAll(names, `is required with "${given}"`, value, path))) fits = false;
    }
    const names = Object.keys(value);
    if (names.length < minProperties)
      fits = this.#refuse(path, `must have at least ${minProperties} properties`);
    if (names.length > maxProperties)
      fits = this.#refuse(path, `must have at most ${maxProperties} properties`);
    for (const name of names) {
      if (!fits && this.#isEnough()) return false;
      if (!(yield* this.#checkProperty(node, name, value[name], [...path, name]))) fits = false;
    }
    return fits;
  }

  *#hasAll(
    names: readonly string[],
    why: string,
    value: Readonly<Record<string, unknown>>,
    path: readonly (string | number)[],
  ): Sliced<boolean> {
    let hasAll = true;
    for (const name of names) {
      if (this.#meter.spend(1)) yield;
      if (Object.hasOwn(value, name)) continue;
      hasAll = this.#refuse([...path, name], why);
      if (this.#isEnough()) break;
    }
    return hasAll;
  }

  *#checkProperty(
    node: SchemaNode,
    name: string,
    value: unknown,
    path: (string | number)[],
  ): Sliced<boolean> {
    const { properties, patternProperties = [], additionalProperties, propertyNames } = node;
    let fits = true;
    if (propertyNames && !(yield* this.#wouldFit(propertyNames, name)))
      fits = this.#refuse(path, "is not a name that is allowed here");
    const own = properties?.get(name);
    let isNamed = own !== undefined;
    if (own && !(yield* this.fits(own, value, path))) fits = false;
    for (const [pattern, schema] of patternProperties) {
      if (this.#meter.spend(pattern.cost(name))) yield;
      if (!pattern.fits(name)) continue;
      isNamed = true;
      if (!(yield* this.fits(schema, value, path))) fits = false;
    }
    if (isNamed || !additionalProperties) return fits;
    return (yield* this.fits(additionalProperties, value, path)) && fits;
  }

  *#checkCombined(node: SchemaNode, value: unknown, path: (string | number)[]): Sliced<boolean> {
    const { ref, allOf = [], anyOf, oneOf, not, if: condition } = node;
    let fits = true;
    for (const schema of ref ? [ref, ...allOf] : allOf)
      if (!(yield* this.fits(schema, value, path))) fits = false;
    if (anyOf && (yield* this.#countFitting(anyOf, value, 1)) === 0)
      fits = this.#refuse(path, "fits none of the alternatives of anyOf");
    if (oneOf) {
      const count = yield* this.#countFitting(oneOf, value, 2);
      if (count !== 1)
        fits = this.#refuse(path, `fits ${count === 0 ? "none" : "several"} of the alternatives of oneOf`);
    }
    if (not && (yield* this.#wouldFit(not, value)))
      fits = this.#refuse(path, "has a form that is not allowed");
    if (!condition) return fits;
    const branch = (yield* this.#wouldFit(condition, value)) ? node.ifTrue : node.ifFalse;
    return branch ? (yield* this.fits(branch, value, path)) && fits : fits;
  }

  *#countFitting(schemas: readonly SchemaNode[], value: unknown, enough: number): Sliced<number> {
    let count = 0;
    for (const schema of schemas) {
      if (yield* this.#wouldFit(schema, value)) count += 1;
      if (count === enough) break;
    }
    return count;
  }

  *#wouldFit(schema: SchemaNode, value: unknown): Sliced<boolean> {
    this.#trying += 1;
    const fits = yield* this.fits(schema, value, []);
    this.#trying -= 1;
    return fits;
  }

  #isEnough(): boolean {
    return this.#trying > 0 || this.issues.length >= MAX_ISSUES;
  }

  #refuse(path: readonly (string | number)[], message: string): false {
    if (!this.#isEnough()) this.issues.push({ path, message });
    return false;
  }
}

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

const TYPE_NAMES: Readonly<Record<JsonType, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

/** In characters, as people count them: one beyond the first 65,536 is two units of a text. */
function lengthOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if (text.codePointAt(at)! > 0xffff) pairs += 1;
  return text.length - pairs;
}
