import { Refusal } from "./refusal.ts";

/** A place in a list ordered newest first by (createdAt, id). */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export interface PageRequest {
  /** Which list the page is of. Its cursors say so, and are good for no other. */
  readonly list: string;
  readonly size: number;
  readonly after?: ListPosition;
  readonly before?: ListPosition;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next?: string;
  readonly prev?: string;
}

export function encodeCursor(list: string, { createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.getTime()}.${id}.${list}`).toString("base64url");
}

function decodeCursor(list: string, parameter: string, text: string): ListPosition {
  const decoded = Buffer.from(text, "base64url").toString("utf8");
  const [, timeMs, id, itsList] = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})\.(.+)$/.exec(decoded) ?? [];
  if (timeMs === undefined || id === undefined)
    throw invalidParameter(parameter, "is not a cursor of this service");
  const position = { createdAt: new Date(Number(timeMs)), id };
  if (itsList !== list || encodeCursor(list, position) !== text)
    throw invalidParameter(parameter, "is not a cursor of this list");
  return position;
}

export function toPageRequest(
  list: string,
  query: { "page[size]": number; "page[after]"?: string; "page[before]"?: string },
): PageRequest {
  const { "page[size]": size, "page[after]": after, "page[before]": before } = query;
  if (after !== undefined && before !== undefined) {
    throw invalidParameter("page[before]", "cannot be combined with page[after]");
  }
  return {
    list,
    size,
    ...(after !== undefined && { after: decodeCursor(list, "page[after]", after) }),
    ...(before !== undefined && { before: decodeCursor(list, "page[before]", before) }),
  };
}

/**
 * `rows` were read in the direction of the request with one more than asked for;
 * the extra one only tells that the list goes on.
 */
export function toPage<Item extends ListPosition>(request: PageRequest, rows: readonly Item[]): Page<Item> {
  const more = rows.length > request.size;
  const items = rows.slice(0, request.size);
  if (request.before) items.reverse();
  const newer = request.before ? more : request.after !== undefined;
  const older = request.before ? true : more;
  const first = items[0];
  const last = items.at(-1);
  return {
    items,
    ...(older && last && { next: encodeCursor(request.list, last) }),
    ...(newer && first && { prev: encodeCursor(request.list, first) }),
  };
}

function invalidParameter(parameter: string, message: string): Refusal {
  return new Refusal("invalid_query", { issues: [{ path: [parameter], message }] });
}
