import { ExpressionError } from "../expression-error.ts";
import { type Evaluation, NotBounded } from "./evaluation.ts";
import { append, finite, isDeepEqual, isNumeric, lookUp, toBoolean, toText } from "./values.ts";

/**
 * A function whose cost is known. `parameters` are JSONata's type letters: s text, n number, b truth value, x anything,
 * a list, A<type> list of one type, v text or number or truth value; `?` may be left out. The first argument is
 * always given here: a call that leaves it to the context is not bounded.
 */
interface BoundedFunction {
  readonly parameters: readonly string[];
  /** JSONata would try the context as the first argument where the types do not fit. */
  readonly takesContext: boolean;
  readonly call: (evaluation: Evaluation, ...args: never[]) => unknown;
}

function define(signature: string, call: BoundedFunction["call"]): BoundedFunction {
  const takesContext = signature.includes("-");
  return { parameters: signature.replace("-", "").split(" ").filter(Boolean), takesContext, call };
}

/** Nothing in, nothing out. */
function onText(calculate: (evaluation: Evaluation, text: string, ...rest: never[]) => unknown) {
  return (evaluation: Evaluation, text: string | undefined, ...rest: never[]) => {
    if (text === undefined) return undefined;
    evaluation.spend(text.length >> 5);
    return calculate(evaluation, text, ...rest);
  };
}

function onNumber(calculate: (value: number, second: number) => number) {
  return (_evaluation: Evaluation, value: number | undefined, second: number) =>
    value === undefined ? undefined : finite(calculate(value, second));
}

function onNumbers(calculate: (values: readonly number[]) => number | undefined) {
  return (evaluation: Evaluation, values: readonly number[] | undefined) => {
    if (values === undefined) return undefined;
    evaluation.spend(values.length);
    const result = calculate(values);
    return result === undefined ? undefined : finite(result);
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function extreme(better: (value: number, best: number) => boolean) {
  return onNumbers((values) => {
    let best = values[0];
    for (const value of values) if (better(value, best as number)) best = value;
    return best;
  });
}

function substring(_evaluation: Evaluation, text: string, start: number, length?: number): string {
  const characters = Array.from(text);
  const from = characters.length + start < 0 ? 0 : start;
  if (length === undefined) return characters.slice(from).join("");
  if (length <= 0) return "";
  return characters.slice(from, from >= 0 ? from + length : characters.length + from + length).join("");
}

function trim(_evaluation: Evaluation, text: string): string {
  return text.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, "");
}

function pad(evaluation: Evaluation, text: string, width: number, padding?: string): string {
  const characters = Array.from(text).length;
  const missing = Math.abs(Math.trunc(width)) - characters;
  if (!(missing > 0)) return text;
  if (missing > 10_000) throw new NotBounded();
  const unit = padding || " ";
  const filling =
    unit.length > 1 ? Array.from(unit.repeat(missing)).slice(0, missing).join("") : unit.repeat(missing);
  return evaluation.text(width > 0 ? text + filling : filling + text);
}

function split(evaluation: Evaluation, text: string, separator: string | undefined, limit?: number): unknown {
  if (limit !== undefined && limit < 0) throw new ExpressionError("the third argument of $split is negative");
  if (limit === 0) return [];
  if (separator === undefined) throw new ExpressionError("$split has no separator");
  const parts = text.split(separator, limit);
  evaluation.spend(parts.length);
  return parts;
}

function toNumber(_evaluation: Evaluation, value: number | string | boolean | undefined): number | undefined {
  if (value === undefined || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const isDecimal = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/.test(value);
  const isPrefixed = /^0(?:[xX][0-9A-Fa-f]+|[oO][0-7]+|[bB][01]+)$/.test(value);
  const number = isDecimal || isPrefixed ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) throw new ExpressionError("$number cannot read the text as a number");
  return number;
}

/** Half to even, shifted as text so that no digits are lost. */
function round(value: number, precision?: number): number {
  const shifted = precision ? shiftDecimals(value, precision) : value;
  let result = Math.round(shifted);
  if (Math.abs(result - shifted) === 0.5 && Math.abs(result % 2) === 1) result -= 1;
  if (precision) result = shiftDecimals(result, -precision);
  return result === 0 ? 0 : result;
}

function shiftDecimals(value: number, digits: number): number {
  const [mantissa, exponent] = String(value).split("e");
  return Number(`${mantissa}e${exponent ? Number(exponent) + digits : digits}`);
}

function keysOf(evaluation: Evaluation, value: unknown): unknown[] {
  const keys = new Set<string>();
  const collect = (part: unknown): void => {
    evaluation.spend(1);
    if (Array.isArray(part)) for (const item of part) collect(item);
    else if (typeof part === "object" && part !== null) for (const key of Object.keys(part)) keys.add(key);
  };
  collect(value);
  evaluation.spend(keys.size);
  // An object orders keys that look like numbers first; going through one keeps JSONata's order.
  const ordered = Array.isArray(value)
    ? Object.keys(Object.fromEntries([...keys].map((key) => [key, true])))
    : [...keys];
  return evaluation.sequence(ordered);
}

function distinct(evaluation: Evaluation, value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= 1) return value;
  const results: unknown[] = evaluation.isSequence(value) ? evaluation.sequence([]) : [];
  for (const item of value) {
    if (!results.some((known) => isDeepEqual(evaluation, item, known))) results.push(item);
  }
  return results;
}

function merge(evaluation: Evaluation, objects: readonly Record<string, unknown>[] | undefined): unknown {
  if (objects === undefined) return undefined;
  const entries = objects.flatMap((part) => Object.entries(part));
  evaluation.spend(entries.length);
  return Object.fromEntries(entries);
}

function typeName(_evaluation: Evaluation, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return isNumeric(value) ? "number" : typeof value;
}

const boundedFunctions = new Map<unknown, BoundedFunction>([
  [
    "string",
    define("x- b?", (evaluation, value: unknown, pretty?: boolean) => {
      if (pretty) throw new NotBounded();
      return toText(evaluation, value);
    }),
  ],
  ["number", define("v-", toNumber)],
  ["boolean", define("x-", toBoolean)],
  [
    "not",
    define("x-", (evaluation, value: unknown) =>
      value === undefined ? undefined : !toBoolean(evaluation, value),
    ),
  ],
  ["exists", define("x", (_evaluation, value: unknown) => value !== undefined)],
  ["type", define("x", typeName)],
  [
    "length",
    define(
      "s-",
      onText((_evaluation, text) => Array.from(text).length),
    ),
  ],
  [
    "uppercase",
    define(
      "s-",
      onText((evaluation, text) => evaluation.text(text.toUpperCase())),
    ),
  ],
  [
    "lowercase",
    define(
      "s-",
      onText((evaluation, text) => evaluation.text(text.toLowerCase())),
    ),
  ],
  ["trim", define("s-", onText(trim))],
  ["pad", define("s- n s?", onText(pad))],
  ["substring", define("s- n n?", onText(substring))],
  [
    "substringBefore",
    define(
      "s- s",
      onText((_evaluation, text, mark: string) =>
        text.includes(mark) ? text.slice(0, text.indexOf(mark)) : text,
      ),
    ),
  ],
  [
    "substringAfter",
    define(
      "s- s",
      onText((_evaluation, text, mark: string) =>
        text.includes(mark) ? text.slice(text.indexOf(mark) + mark.length) : text,
      ),
    ),
  ],
  [
    "contains",
    define(
      "s- s",
      onText((_evaluation, text, token?: string) => (token === undefined ? undefined : text.includes(token))),
    ),
  ],
  ["split", define("s- s n?", onText(split))],
  [
    "join",
    define("As s?", (evaluation, texts: readonly string[] | undefined, separator = "") => {
      if (texts === undefined) return undefined;
      evaluation.spend(texts.length);
      return evaluation.text(texts.join(separator));
    }),
  ],
  ["floor", define("n-", onNumber(Math.floor))],
  ["ceil", define("n-", onNumber(Math.ceil))],
  ["abs", define("n-", onNumber(Math.abs))],
  ["round", define("n- n?", onNumber(round))],
  ["sqrt", define("n-", onNumber(Math.sqrt))],
  [
    "power",
    define(
      "n- n",
      onNumber((base, exponent) => base ** exponent),
    ),
  ],
  ["sum", define("An", onNumbers(sum))],
  [
    "average",
    define(
      "An",
      onNumbers((values) => (values.length === 0 ? undefined : sum(values) / values.length)),
    ),
  ],
  [
    "max",
    define(
      "An",
      extreme((value, best) => value > best),
    ),
  ],
  [
    "min",
    define(
      "An",
      extreme((value, best) => value < best),
    ),
  ],
  ["count", define("a", (_evaluation, items: readonly unknown[] | undefined) => items?.length ?? 0)],
  ["append", define("x x", append)],
  [
    "reverse",
    define("a", (evaluation, items: readonly unknown[] | undefined) => {
      evaluation.spend(items?.length ?? 0);
      return items !== undefined && items.length > 1 ? items.toReversed() : items;
    }),
  ],
  ["distinct", define("x", distinct)],
  ["keys", define("x-", keysOf)],
  ["lookup", define("x- s", lookUp)],
  ["merge", define("Ao", merge)],
  ["now", define("", (evaluation) => new Date(evaluation.nowMs()).toISOString())],
  ["millis", define("", (evaluation) => evaluation.nowMs())],
]);

/** The function, if a call with so many arguments is bounded. */
export function findFunction(name: unknown, argumentCount: number): BoundedFunction | undefined {
  const found = boundedFunctions.get(name);
  if (found === undefined || argumentCount > found.parameters.length) return undefined;
  const required = found.parameters.filter((parameter) => !parameter.endsWith("?")).length;
  return argumentCount >= required ? found : undefined;
}

export function callFunction(
  name: string,
  found: BoundedFunction,
  evaluation: Evaluation,
  args: unknown[],
): unknown {
  for (let position = 0; position < args.length; position += 1) {
    const parameter = found.parameters[position] as string;
    if (parameter.startsWith("A") || parameter === "a") {
      args[position] = toList(evaluation, args[position]);
    }
    if (fits(evaluation, parameter, args[position])) continue;
    if (found.takesContext && args.length < found.parameters.length) throw new NotBounded();
    throw new ExpressionError(`argument ${position + 1} of $${name} has the wrong type`);
  }
  return found.call(evaluation, ...(args as never[]));
}

function toList(evaluation: Evaluation, value: unknown): unknown {
  if (value === undefined || Array.isArray(value)) return value;
  evaluation.spend(1);
  return [value];
}

function fits(evaluation: Evaluation, parameter: string, value: unknown): boolean {
  if (value === undefined) return true;
  switch (parameter.charAt(0)) {
    case "x":
    case "a":
      return true;
    case "s":
      return typeof value === "string";
    case "n":
      return typeof value === "number";
    case "b":
      return typeof value === "boolean";
    case "v":
      return typeof value === "number" || typeof value === "string" || typeof value === "boolean";
    case "o":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default: {
      const items = value as readonly unknown[];
      evaluation.spend(items.length);
      // Inside a list, nothing is not a value of any type.
      return items.every((item) => item !== undefined && fits(evaluation, parameter.slice(1), item));
    }
  }
}
