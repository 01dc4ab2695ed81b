import type { PageRequest } from "../domain/cursor.ts";

/**
 * The end of a list query: newest first by (created_at, id), in either direction from a cursor,
 * one row more than asked for. `parameters` is what the query has so far; the page's own are added to it.
 */
export function keyset(page: PageRequest, parameters: unknown[]): { where: string; orderAndLimit: string } {
  const position = page.after ?? page.before;
  const direction = page.before ? "ASC" : "DESC";
  let where = "true";
  if (position) {
    parameters.push(position.createdAt, position.id);
    const [at, id] = [`$${parameters.length - 1}`, `$${parameters.length}`];
    where = `(created_at, id) ${page.before ? ">" : "<"} (${at}::timestamptz, ${id})`;
  }
  parameters.push(page.size + 1);
  return {
    where,
    orderAndLimit: `ORDER BY created_at ${direction}, id ${direction} LIMIT $${parameters.length}`,
  };
}
