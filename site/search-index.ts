import MiniSearch from "minisearch";
import type { Page } from "./page.ts";
import { searchOptions } from "./search-terms.ts";

const EXCERPT_LENGTH = 110;
/** Of one section; a log of changes need not be found by every word. */
const MAX_TEXT_LENGTH = 4_000;

/** One entry for each heading, so that a result leads to the place and not only to the page. */
export function buildSearchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch(searchOptions);
  let id = 0;
  for (const page of pages)
    for (const { id: anchor, title, text } of page.sections)
      index.add({
        id: (id += 1),
        heading: title || page.title,
        page: page.title,
        url: anchor ? `${page.path}#${anchor}` : page.path,
        text: text.slice(0, MAX_TEXT_LENGTH),
        start: text.trim().slice(0, EXCERPT_LENGTH),
      });
  return JSON.stringify(index);
}
