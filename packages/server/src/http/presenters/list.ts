import type { Page } from "../../domain/cursor.ts";

/** Flows and agents: an array, with a sibling `pagination` where there is another page. */
export function presentList<Item, Wire>(page: Page<Item>, present: (item: Item) => Wire): object {
  const { items, next, prev } = page;
  const pagination = { ...(next !== undefined && { next }), ...(prev !== undefined && { prev }) };
  const paged = next !== undefined || prev !== undefined;
  return { success: true, data: items.map(present), ...(paged && { pagination }) };
}
