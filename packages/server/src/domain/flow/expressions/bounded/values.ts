import { NotBounded } from "../meter.ts";
import type { Evaluation } from "./evaluation.ts";

/** To begin with one, however short it is: lists may hold thousands of lists. */
const stepsOfList = 8;

/** What JSON has no number for is left to JSONata, which fails at some of its uses and makes nothing of it at others. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new NotBounded();
  return value;
}

export function isNumeric(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(value) && finite(value) === value;
}

/** JSONata's effective boolean value. */
export function toBoolean(evaluation: Evaluation, value: unknown): boolean | undefined {
  switch (typeof value) {
    case "undefined":
      return undefined;
    case "boolean":
      return value;
    case "string":
      return value.length > 0;
    case "number":
      return isNumeric(value) && value !== 0;
    default:
      if (value === null) return false;
      if (!Array.isArray(value)) {
        const { length } = Object.keys(value as object);
        evaluation.spend(4 * length);
        return length > 0;
      }
      evaluation.spend(value.length);
      return value.some((item) => toBoolean(evaluation, item));
  }
}

export function toText(evaluation: Evaluation, value: unknown): string | undefined {
  if (typeof value === "string" || value === undefined) return value;
  if (typeof value === "number") finite(value);
  return evaluation.text(stringify(evaluation, value));
}

/** JSON with numbers of 15 digits, as JSONata writes them. */
function stringify(evaluation: Evaluation, value: unknown): string {
  evaluation.spend(8);
  if (typeof value === "string") {
    evaluation.spendText(value.length);
    return JSON.stringify(value);
  }
  if (typeof value === "number")
    return String(Number.isInteger(value) ? value : Number(finite(value).toPrecision(15)));
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => stringify(evaluation, item ?? null)).join(",")}]`;
  const keys = Object.keys(value);
  evaluation.spend(16 * keys.length);
  const entries = keys
    .map((key) => [key, value[key as keyof typeof value] as unknown] as const)
    .filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${stringify(evaluation, key)}:${stringify(evaluation, item)}`).join(",")}}`;
}

export function isDeepEqual(evaluation: Evaluation, left: unknown, right: unknown): boolean {
  evaluation.spend(1);
  evaluation.spendEqual(left, right);
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isDeepEqual(evaluation, item, right[index]));
  }
  const keys = Object.keys(left);
  evaluation.spend(4 * keys.length);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isDeepEqual(evaluation, left[key as keyof typeof left], right[key as keyof typeof right]),
  );
}

/** Own keys only; of a list, the values of all its items. */
export function lookUp(evaluation: Evaluation, input: unknown, key: string): unknown {
  if (!Array.isArray(input)) return ownValue(input, key);
  const found: unknown[] = [];
  lookUpInItems(evaluation, input, key, found);
  return evaluation.sequence(found);
}

function lookUpInItems(
  evaluation: Evaluation,
  items: readonly unknown[],
  key: string,
  found: unknown[],
): void {
  evaluation.spend(items.length + stepsOfList);
  for (const item of items) {
    if (Array.isArray(item)) {
      lookUpInItems(evaluation, item, key, found);
      continue;
    }
    const value = ownValue(item, key);
    if (Array.isArray(value)) appendAll(evaluation, found, value);
    else if (value !== undefined) found.push(value);
  }
}

function ownValue(input: unknown, key: string): unknown {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, key)) return undefined;
  return input[key as keyof typeof input];
}

export function appendAll(evaluation: Evaluation, target: unknown[], items: readonly unknown[]): void {
  evaluation.spend(items.length);
  for (const item of items) target.push(item);
}

export function append(evaluation: Evaluation, left: unknown, right: unknown): unknown {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (Array.isArray(left)) evaluation.spend(left.length);
  const joined = Array.isArray(left) ? left.slice() : [left];
  appendAll(evaluation, joined, Array.isArray(right) ? right : [right]);
  return joined;
}
