import { z } from "zod";
import { setOwn } from "../../domain/own-field.ts";
import type { Sliced } from "../../domain/sliced.ts";
import { defineNode, inSlices, NodeError, type NodeOutcome } from "./node-type.ts";
import { listOf } from "./support/input-schemas.ts";
import { mergeSort } from "./support/merge-sort.ts";
import { compareValues, identityOf, readPath } from "./support/values.ts";

export const list = defineNode({
  type: "list",
  summary: "Sorts, shortens, deduplicates, groups or flattens a list.",
  inputs: z.object({
    items: listOf().describe("The list; a single value is a list of one, nothing an empty one."),
    operation: z.enum(["sort", "limit", "unique", "group", "flatten"]).describe("What to do with it."),
    by: z
      .string()
      .max(256)
      .nullish()
      .describe(
        "Path inside an item (`customer.name`) to sort, compare or group by; without it the item itself.",
      ),
    count: z
      .number()
      .int()
      .min(0)
      .nullish()
      .describe("`limit`: how many items to keep, default 1. `flatten`: how many levels, default 1."),
    order: z.enum(["asc", "desc"]).nullish().describe("`sort`: direction, default `asc`."),
  }),
  effect: false,
  output:
    "`{items}`; for `group` `{groups}`, an object of lists by the text of the value. Items without the value come last, or in the group `null`.",
  example: { inputs: { items: "{{ nodes.orders.body }}", operation: "sort", by: "total", order: "desc" } },
  execute: inSlices(function* ({ items, operation, by, count, order }) {
    const path = by?.split(".");
    const valueOf = (item: unknown) => (path ? readPath(item, path) : item);
    switch (operation) {
      case "sort":
        return toItems(yield* sortItems(items, valueOf, order === "desc" ? -1 : 1));
      case "limit":
        return toItems(items.slice(0, count ?? 1));
      case "unique":
        return toItems(yield* uniqueItems(items, valueOf));
      case "group":
        return { kind: "output", output: { groups: yield* groupItems(items, valueOf) } };
      case "flatten":
        return toItems(yield* flattenItems(items, count ?? 1));
    }
  }),
});

const maxFlattened = 200_000;

type ValueOf = (item: unknown) => unknown;

function toItems(items: unknown[]): NodeOutcome {
  return { kind: "output", output: { items } };
}

function* sortItems(items: readonly unknown[], valueOf: ValueOf, direction: 1 | -1): Sliced<unknown[]> {
  const present: { item: unknown; value: unknown }[] = [];
  const missing: unknown[] = [];
  for (const item of items) {
    const value = valueOf(item) ?? undefined;
    if (value === undefined) missing.push(item);
    else present.push({ item, value });
    yield;
  }
  const sorted = yield* mergeSort(present, (a, b) => direction * compareValues(a.value, b.value));
  return [...sorted.map(({ item }) => item), ...missing];
}

function* uniqueItems(items: readonly unknown[], valueOf: ValueOf): Sliced<unknown[]> {
  const seen = new Set<string>();
  const kept: unknown[] = [];
  for (const item of items) {
    const identity = yield* identityOf(valueOf(item));
    if (!seen.has(identity)) kept.push(item);
    seen.add(identity);
    yield;
  }
  return kept;
}

function* groupItems(items: readonly unknown[], valueOf: ValueOf): Sliced<Record<string, unknown[]>> {
  const groups = new Map<string, unknown[]>();
  for (const item of items) {
    const value = valueOf(item);
    const key = typeof value === "string" ? value : yield* identityOf(value);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
    yield;
  }
  const result: Record<string, unknown[]> = {};
  for (const [key, group] of groups) {
    setOwn(result, key, group);
    yield;
  }
  return result;
}

function* flattenItems(items: readonly unknown[], levels: number): Sliced<unknown[]> {
  const flat: unknown[] = [];
  for (const item of items) {
    if (levels > 0 && Array.isArray(item)) {
      for (const inner of yield* flattenItems(item, levels - 1)) flat.push(inner);
    } else flat.push(item);
    if (flat.length > maxFlattened)
      throw new NodeError("ListTooLong", `The flattened list has more than ${maxFlattened} items.`);
    yield;
  }
  return flat;
}
