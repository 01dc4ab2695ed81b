import { ExpressionError } from "../expression-error.ts";
import { NotBounded } from "../meter.ts";
import type { Evaluation } from "./evaluation.ts";
import { define, type FunctionEntry } from "./function-definition.ts";
import { isNumeric, toBoolean, toText } from "./values.ts";

function toNumber(evaluation: Evaluation, value: number | string | boolean | undefined): number | undefined {
  if (value === undefined || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  evaluation.spend(value.length >> 1);
  const isDecimal = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/.test(value);
  const isPrefixed = /^0(?:[xX][0-9A-Fa-f]+|[oO][0-7]+|[bB][01]+)$/.test(value);
  const number = isDecimal || isPrefixed ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) throw new ExpressionError("$number cannot read the text as a number");
  return number;
}

function typeName(_evaluation: Evaluation, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return isNumeric(value) ? "number" : typeof value;
}

export const valueFunctions: readonly FunctionEntry[] = [
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
  ["now", define("", (evaluation) => new Date(evaluation.nowMs).toISOString())],
  ["millis", define("", (evaluation) => evaluation.nowMs)],
];
