import type { Sliced } from "../../../domain/sliced.ts";

const piece = 64;

/** A stable sort that lets others have their turn: small pieces at once, then merged two by two. */
export function* mergeSort<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Sliced<Item[]> {
  let sorted: Item[][] = [];
  for (let at = 0; at < items.length; at += piece) {
    sorted.push(items.slice(at, at + piece).sort(compare));
    yield;
  }
  while (sorted.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < sorted.length; at += 2) {
      const [left, right] = [sorted[at] as Item[], sorted[at + 1]];
      merged.push(right === undefined ? left : yield* merge(left, right, compare));
    }
    sorted = merged;
  }
  return sorted[0] ?? [];
}

function* merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Sliced<Item[]> {
  const merged: Item[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const takesLeft =
      r === right.length || (l < left.length && compare(left[l] as Item, right[r] as Item) <= 0);
    merged.push((takesLeft ? left[l++] : right[r++]) as Item);
    yield;
  }
  return merged;
}
