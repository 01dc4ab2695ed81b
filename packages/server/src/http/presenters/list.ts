import type { FastifyRequest } from "fastify";
import type { Page } from "../../domain/cursor.ts";

/** Flows, agents and the queue: an array, with a sibling `pagination` where pages were asked for or there is another one. */
export function presentList<Item, Wire>(
  page: Page<Item>,
  present: (item: Item) => Wire,
  { query }: FastifyRequest,
): object {
  const pagination = cursorsOf(page);
  const asked = Object.keys(query as object).some((name) => name.startsWith("page["));
  const paged = asked || Object.keys(pagination).length > 0;
  return { success: true, data: page.items.map(present), ...(paged && { pagination }) };
}

/** Runs, and everything under /manage: `data` holds both the array and its `pagination`, and whatever else there is to say of the list. */
export function presentPage<Item, Wire>(
  page: Page<Item>,
  present: (item: Item) => Wire,
  more: object = {},
): object {
  return { success: true, data: { data: page.items.map(present), pagination: cursorsOf(page), ...more } };
}

function cursorsOf({ next, prev }: Page<unknown>): { next?: string; prev?: string } {
  return { ...(next !== undefined && { next }), ...(prev !== undefined && { prev }) };
}
