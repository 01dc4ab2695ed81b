import type { Evaluation } from "./evaluation.ts";
import { define, type FunctionEntry } from "./function-definition.ts";
import { append, isDeepEqual, lookUp } from "./values.ts";

function keysOf(evaluation: Evaluation, value: unknown): unknown[] {
  const keys = new Set<string>();
  const collect = (part: unknown): void => {
    evaluation.spend(1);
    if (Array.isArray(part)) for (const item of part) collect(item);
    else if (typeof part === "object" && part !== null) {
      const own = Object.keys(part);
      evaluation.spend(4 * own.length);
      for (const key of own) keys.add(key);
    }
  };
  collect(value);
  evaluation.spend(8 * keys.size);
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
  const entries: [string, unknown][] = [];
  for (const part of objects) {
    const keys = Object.keys(part);
    evaluation.spend(16 * keys.length);
    for (const key of keys) entries.push([key, part[key]]);
  }
  return Object.fromEntries(entries);
}

export const listFunctions: readonly FunctionEntry[] = [
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
  [
    "lookup",
    define("x- s", (evaluation, value: unknown, key: string | undefined) => {
      evaluation.spendText(key?.length ?? 0);
      return lookUp(evaluation, value, key as string);
    }),
  ],
  ["merge", define("Ao", merge)],
];
