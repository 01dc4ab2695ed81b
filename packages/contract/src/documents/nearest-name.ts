const MAX_COMPARED_LENGTH = 64;

const MAX_DISTANCE = 3;

/** A hint is not worth looking through more. */
const MAX_COMPARED = 200;

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
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  // Twice: some letters become longer in lower case.
  const wanted = text.slice(0, MAX_COMPARED_LENGTH).toLowerCase().slice(0, MAX_COMPARED_LENGTH);
  let nearest: string | undefined;
  let least = MAX_DISTANCE + 1;
  let left = MAX_COMPARED;
  for (const name of names) {
    if (left-- === 0) break;
    if (name.length > MAX_COMPARED_LENGTH + MAX_DISTANCE) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest !== undefined && least <= nearest.length / 2 ? nearest : undefined;
}

/** The last three rows; more than is near counts as FAR. */
const FAR = MAX_DISTANCE + 1;
const rows = [0, 1, 2].map(() => new Uint8Array(MAX_COMPARED_LENGTH + 2 * MAX_DISTANCE + 2));

/**
 * How many letters are wrong, missing, too many or in the wrong order. Row by row, and in each row only where few enough
 * differ: whoever sends many names must not make much work with each.
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_DISTANCE) return FAR;
  let [before, previous, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= FAR; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - MAX_DISTANCE);
    const last = Math.min(b.length, i + MAX_DISTANCE);
    row[first - 1] = first === 1 ? Math.min(i, FAR) : FAR;
    let least = row[first - 1]!;
    for (let j = first; j <= last; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : FAR;
      row[j] = Math.min(replaced, swapped, previous[j]! + 1, row[j - 1]! + 1, FAR);
      least = Math.min(least, row[j]!);
    }
    row[last + 1] = FAR;
    if (least === FAR) return FAR;
    [before, previous, row] = [previous, row, before];
  }
  return previous[b.length]!;
}
