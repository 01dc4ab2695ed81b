import { z } from "zod";
import { defineNode, NodeError } from "./node-type.ts";
import { compareValues, identityOf, readPath } from "./support/values.ts";

export const list = defineNode({
  type: "list",
  summary: "Sorts, shortens, deduplicates, groups or flattens a list.",
  inputs: z.object({
    items: z.array(z.unknown()).describe("The list."),
    operation: z.enum(["sort", "limit", "unique", "group", "flatten"]).describe("What to do with it."),
    by: z
      .string()
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
  execute({ items, operation, by, count, order }) {
    const valueOf = (item: unknown) => (by ? readPath(item, by) : item);
    if (operation === "group") return { kind: "output", output: { groups: groupItems(items, valueOf) } };
    switch (operation) {
      case "sort":
        return { kind: "output", output: { items: sortItems(items, valueOf, order === "desc" ? -1 : 1) } };
      case "limit":
        return { kind: "output", output: { items: items.slice(0, count ?? 1) } };
      case "unique":
        return { kind: "output", output: { items: uniqueItems(items, valueOf) } };
      case "flatten":
        return { kind: "output", output: { items: flattenItems(items, count ?? 1) } };
    }
  },
});

const MAX_FLATTENED = 1_000_000;

type ValueOf = (item: unknown) => unknown;

function sortItems(items: readonly unknown[], valueOf: ValueOf, direction: 1 | -1): unknown[] {
  const entries = items.map((item) => ({ item, value: valueOf(item) ?? undefined }));
  const present = entries.filter(({ value }) => value !== undefined);
  const missing = entries.filter(({ value }) => value === undefined);
  present.sort((a, b) => direction * compareValues(a.value, b.value));
  return [...present, ...missing].map(({ item }) => item);
}

function uniqueItems(items: readonly unknown[], valueOf: ValueOf): unknown[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const identity = identityOf(valueOf(item));
    return !seen.has(identity) && seen.add(identity);
  });
}

function groupItems(items: readonly unknown[], valueOf: ValueOf): Record<string, unknown[]> {
  const keyOf = (item: unknown) => {
    const value = valueOf(item);
    return typeof value === "string" ? value : identityOf(value);
  };
  return Object.fromEntries(Map.groupBy(items, keyOf));
}

function flattenItems(items: readonly unknown[], levels: number): unknown[] {
  const flat = items.flat(Math.min(levels, 64)) as unknown[];
  if (flat.length > MAX_FLATTENED)
    throw new NodeError("ListTooLong", "The flattened list has more than 1,000,000 items.");
  return flat;
}
