import { encodeCursor, type Page, type PageRequest } from "./cursor.ts";

/** For short lists that are read whole: a page of what is sorted by id. */
export function pageById<Item extends { readonly id: string }>(
  request: PageRequest,
  items: readonly Item[],
): Page<Item> {
  const { list, size, after, before } = request;
  const sorted = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const within = sorted.filter(({ id }) => (!after || id > after.id) && (!before || id < before.id));
  const shown = before ? within.slice(-size) : within.slice(0, size);
  const first = shown[0];
  const last = shown.at(-1);
  const cursorOf = ({ id }: Item) => encodeCursor(list, { createdAt: new Date(0), id });
  return {
    items: shown,
    ...(last && sorted.at(-1)!.id > last.id && { next: cursorOf(last) }),
    ...(first && sorted[0]!.id < first.id && { prev: cursorOf(first) }),
  };
}
