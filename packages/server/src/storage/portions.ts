const MOST_CHARACTERS = 8 * 1024 * 1024;

/**
 * A batch, cut where its texts would make one statement too large: PostgreSQL takes no message above a gigabyte, and holds
 * each several times in memory. A single item is never cut.
 */
export function portions<Item>(
  items: readonly Item[],
  charactersOf: (item: Item) => number,
  most = MOST_CHARACTERS,
): Item[][] {
  const cut: Item[][] = [];
  let filled = Infinity;
  for (const item of items) {
    const characters = charactersOf(item);
    if (filled + characters > most) {
      cut.push([]);
      filled = 0;
    }
    cut.at(-1)!.push(item);
    filled += characters;
  }
  return cut;
}
