import type { Page } from "./runs.ts";

/** All pages of a list, one after the other, so many at the most. */
export async function readPages<Item>(
  most: number,
  read: (after: string | undefined) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  for (let page = 0; page < most; page++) {
    const { data, pagination } = await read(after);
    items.push(...data);
    after = pagination.next;
    if (!after) break;
  }
  return items;
}
