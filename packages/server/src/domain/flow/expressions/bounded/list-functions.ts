import type { Evaluation } from "./evaluation.ts";
import { define, type FunctionEntry } from "./function-definition.ts";
import { append, isDeepEqual, lookUp } from "./values.ts";

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
  ["lookup", define("x- s", lookUp)],
  ["merge", define("Ao", merge)],
];
