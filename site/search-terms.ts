import type { Options } from "minisearch";

/** How words are found, the same when the index is made and when it is asked. */
export const searchOptions: Options = {
  fields: ["heading", "page", "text"],
  storeFields: ["heading", "page", "url", "start"],
  tokenize: termsOf,
  searchOptions: {
    boost: { heading: 4, page: 2 },
    combineWith: "AND",
    prefix: (term) => term.length > 1,
    // Whoever searches for a word wants it explained first, and listed afterwards.
    boostDocument: (_id, _term, stored) =>
      /^(?:api\/|client-reference)/.test(String(stored?.["url"])) ? 0.4 : 1,
    tokenize: (query) =>
      query
        .toLowerCase()
        .split(/[^\p{L}\p{N}_$-]+/u)
        .filter(Boolean),
  },
};

/** `for-each` is found by its name and by its parts. */
function termsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}_$-]+/u).filter(Boolean);
  return words.flatMap((word) => {
    const parts = word.split(/[-_$]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}
