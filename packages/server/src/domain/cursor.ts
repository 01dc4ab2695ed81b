import { Refusal } from "./refusal.ts";

/** A place in a list ordered newest first by (createdAt, id). */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export interface PageRequest {
  readonly size: number;
  readonly after?: ListPosition;
  readonly before?: ListPosition;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next?: string;
  readonly prev?: string;
}

export function encodeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString("base64url");
}

function decodeCursor(parameter: string, text: string): ListPosition {
  const match = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})$/.exec(Buffer.from(text, "base64url").toString("utf8"));
  if (!match || encodeCursor({ createdAt: new Date(Number(match[1])), id: match[2]! }) !== text) {
    throw invalidParameter(parameter, "is not a cursor of this service");
  }
  return { createdAt: new Date(Number(match[1])), id: match[2]! };
}

export function toPageRequest(query: {
  "page[size]": number;
  "page[after]"?: string;
  "page[before]"?: string;
}): PageRequest {
  const { "page[size]": size, "page[after]": after, "page[before]": before } = query;
  if (after !== undefined && before !== undefined) {
    throw invalidParameter("page[before]", "cannot be combined with page[after]");
  }
  return {
    size,
    ...(after !== undefined && { after: decodeCursor("page[after]", after) }),
    ...(before !== undefined && { before: decodeCursor("page[before]", before) }),
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
    ...(older && last && { next: encodeCursor(last) }),
    ...(newer && first && { prev: encodeCursor(first) }),
  };
}

function invalidParameter(parameter: string, message: string): Refusal {
  return new Refusal("invalid_query", { issues: [{ path: [parameter], message }] });
}
