const maxCharacters = 2 * 1024 * 1024;

/**
 * A batch, cut where its texts would make one statement too large: PostgreSQL holds each several times in memory, and so
 * do we. Items are taken one by one, so that the texts of the next portion are made when they are sent. A single item is
 * never cut.
 */
export function* portions<Item>(
  items: Iterable<Item>,
  charactersOf: (item: Item) => number,
  most = maxCharacters,
): Generator<Item[]> {
  let portion: Item[] = [];
  let filled = 0;
  for (const item of items) {
    const characters = charactersOf(item);
    if (portion.length > 0 && filled + characters > most) {
      yield portion;
      portion = [];
      filled = 0;
    }
    portion.push(item);
    filled += characters;
  }
  if (portion.length > 0) yield portion;
}
