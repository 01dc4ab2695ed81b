import type { Page } from "@millrace/client";

const MAX_PAGES = 200;
const PAGE_SIZE = 100;

interface Paged {
  readonly pageSize: number;
  readonly after?: string | undefined;
}

/** A whole list, page by page, as far as somebody would read it. */
export async function allPages<Item>(read: (page: Paged) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, pagination } = await read({ pageSize: PAGE_SIZE, after });
    items.push(...data);
    after = pagination.next;
    if (after === undefined) break;
  }
  return items;
}
