/** The id of the node that a key is about: `fetch` of `fetch[3]` and of `inner[2].fetch[3]`. */
export function nodeIdOf(nodeKey: string): string {
  return nodeKey.slice(nodeKey.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
}

/** Calls of one node by round and attempt: rounds that are executed side by side call in any order. */
export function inRounds<Call extends { readonly nodeKey: string; readonly attempt: number }>(
  calls: readonly Call[],
): Call[] {
  const placed = calls.map((call) => ({ call, place: placeOf(call) }));
  placed.sort(({ place: one }, { place: other }) => {
    const at = one.findIndex((round, index) => round !== other[index]);
    return at === -1 ? 0 : one[at]! - other[at]!;
  });
  return placed.map(({ call }) => call);
}

function placeOf({ nodeKey, attempt }: { readonly nodeKey: string; readonly attempt: number }): number[] {
  return [...Array.from(nodeKey.matchAll(/\[(\d+)\]/g), ([, round]) => Number(round)), attempt];
}
