interface Span {
  readonly startedAt: string;
  readonly completedAt?: string;
  readonly type: string;
}

export interface FoldedTime {
  /** 0 to 1, for a moment in milliseconds. */
  place(moment: number): number;
  /** Where time was left out, and how much. */
  readonly folds: readonly { readonly at: number; readonly leftOutMs: number }[];
}

const WAITING_TYPES = new Set(["wait", "approval", "run-flow"]);
const FOLD_SHARE = 0.04;
const LEAST_FOLD_MS = 1_000;

/**
 * A scale on which work has its true length and waiting almost none: a run of two seconds that waited two days for a
 * person still shows its two seconds.
 */
export function foldTime(spans: readonly Span[], from: number, to: number): FoldedTime {
  const busy = mergeSpans(
    spans
      .filter(({ type }) => !WAITING_TYPES.has(type))
      .map(({ startedAt, completedAt }) => [
        Date.parse(startedAt),
        completedAt ? Date.parse(completedAt) : to,
      ]),
  );
  const busyMs = busy.reduce((sum, [start, end]) => sum + end - start, 0);
  const leastMs = Math.max(LEAST_FOLD_MS, busyMs * 0.5);
  const pieces: { start: number; end: number; width: number; folded: boolean }[] = [];
  const fold = Math.max(busyMs * FOLD_SHARE, 1);
  let reached = from;
  const idleUntil = (moment: number) => {
    const gap = moment - reached;
    if (gap <= 0) return;
    const folded = gap >= leastMs;
    pieces.push({ start: reached, end: moment, width: folded ? fold : gap, folded });
    reached = moment;
  };
  for (const [start, end] of busy) {
    idleUntil(start);
    if (end > reached) {
      pieces.push({ start: reached, end, width: end - reached, folded: false });
      reached = end;
    }
  }
  idleUntil(to);
  const total = pieces.reduce((sum, { width }) => sum + width, 0) || 1;
  const place = (moment: number) => {
    let before = 0;
    for (const { start, end, width } of pieces) {
      if (moment <= start) break;
      if (moment < end) return (before + (width * (moment - start)) / (end - start)) / total;
      before += width;
    }
    return before / total;
  };
  return {
    place,
    folds: pieces
      .filter(({ folded }) => folded)
      .map(({ start, end }) => ({ at: (place(start) + place(end)) / 2, leftOutMs: end - start })),
  };
}

function mergeSpans(spans: readonly (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [start, end] of spans.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
