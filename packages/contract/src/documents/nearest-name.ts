const MAX_COMPARED_LENGTH = 64;

const MAX_DISTANCE = 3;

const MAX_LISTED = 12;

/** What to say of a name that is not known: the one that was probably meant, or all there are. On one line, whatever the name. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const shown = JSON.stringify(name.slice(0, MAX_COMPARED_LENGTH));
  return nearest === undefined
    ? `unknown ${what} ${shown}; known are ${listOf(known)}`
    : `unknown ${what} ${shown}; did you mean "${nearest}"?`;
}

function listOf(names: readonly string[]): string {
  return names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(", ")}, …` : names.join(", ");
}

/** The name that was probably meant, if one is near: at most three letters differ, and not more than half of it. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const wanted = text.slice(0, MAX_COMPARED_LENGTH).toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.min(MAX_DISTANCE, best.name.length / 2) ? best.name : undefined;
}

/** How many letters are wrong, missing, too many or in the wrong order; row by row. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, swapped, previous[j]! + 1, row[j - 1]! + 1));
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length]!;
}
