import { ExpressionError } from "../expression-error.ts";
import type { Evaluation, Run } from "./evaluation.ts";
import { finite, isDeepEqual, isNumeric, toBoolean, toText } from "./values.ts";

type Operator = (evaluation: Evaluation, left: unknown, right: unknown) => unknown;

function arithmetic(sign: string, calculate: (left: number, right: number) => number): Operator {
  return (_evaluation, left, right) => {
    if (left !== undefined && !isNumeric(left)) throw notANumber("left", sign);
    if (right !== undefined && !isNumeric(right)) throw notANumber("right", sign);
    return left === undefined || right === undefined ? undefined : finite(calculate(left, right));
  };
}

function notANumber(side: string, sign: string): ExpressionError {
  return new ExpressionError(`the ${side} side of ${sign} is not a number`);
}

function comparison(sign: string, holds: (left: never, right: never) => boolean): Operator {
  return (evaluation, left, right) => {
    if (!isComparable(left) || !isComparable(right)) {
      throw new ExpressionError(`${sign} compares numbers or texts, not other values`);
    }
    if (left === undefined || right === undefined) return undefined;
    if (typeof left !== typeof right)
      throw new ExpressionError(`${sign} cannot compare a number with a text`);
    if (typeof left === "string") evaluation.spend(Math.min(left.length, (right as string).length) >> 5);
    return holds(left as never, right as never);
  };
}

function isComparable(value: unknown): value is number | string | undefined {
  return value === undefined || typeof value === "number" || typeof value === "string";
}

function isIn(evaluation: Evaluation, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  if (!Array.isArray(right)) return left === right;
  evaluation.spend(right.length);
  return right.some((item) => {
    evaluation.spendEqual(left, item);
    return left === item;
  });
}

function concatenate(evaluation: Evaluation, left: unknown, right: unknown): string {
  return evaluation.text((toText(evaluation, left) ?? "") + (toText(evaluation, right) ?? ""));
}

const operators = new Map<unknown, Operator>([
  ["+", arithmetic("+", (left, right) => left + right)],
  ["-", arithmetic("-", (left, right) => left - right)],
  ["*", arithmetic("*", (left, right) => left * right)],
  ["/", arithmetic("/", (left, right) => left / right)],
  ["%", arithmetic("%", (left, right) => left % right)],
  ["<", comparison("<", (left, right) => left < right)],
  ["<=", comparison("<=", (left, right) => left <= right)],
  [">", comparison(">", (left, right) => left > right)],
  [">=", comparison(">=", (left, right) => left >= right)],
  [
    "=",
    (evaluation, left, right) =>
      left !== undefined && right !== undefined && isDeepEqual(evaluation, left, right),
  ],
  [
    "!=",
    (evaluation, left, right) =>
      left !== undefined && right !== undefined && !isDeepEqual(evaluation, left, right),
  ],
  ["in", isIn],
  ["&", concatenate],
]);

export function compileBinary(sign: unknown, left: Run, right: Run): Run | undefined {
  if (sign === "and") {
    return (evaluation, context) =>
      Boolean(toBoolean(evaluation, left(evaluation, context))) &&
      Boolean(toBoolean(evaluation, right(evaluation, context)));
  }
  if (sign === "or") {
    return (evaluation, context) =>
      Boolean(toBoolean(evaluation, left(evaluation, context))) ||
      Boolean(toBoolean(evaluation, right(evaluation, context)));
  }
  const operator = operators.get(sign);
  if (operator === undefined) return undefined;
  return (evaluation, context) => operator(evaluation, left(evaluation, context), right(evaluation, context));
}
