/** A line through measured points, and how sure its slope is. */
export interface Trend {
  readonly perHour: number;
  /** Two standard errors. */
  readonly uncertainty: number;
}

interface Point {
  readonly atMs: number;
  readonly value: number;
}

const BLOCKS = 12;
const HOUR_MS = 3_600_000;

/**
 * Least squares. Neighbouring samples of a process's memory are alike, so that each by itself would pretend to a
 * certainty that is not there; the line is drawn through a dozen blocks
 * instead, each by its mean or by what `valueOf` makes of it.
 */
export function trendOf(
  points: readonly Point[],
  valueOf: (block: readonly number[]) => number = mean,
): Trend {
  const blocks = blocksOf(points, valueOf);
  const count = blocks.length;
  const x = mean(blocks.map(({ atMs }) => atMs));
  const y = mean(blocks.map(({ value }) => value));
  const spread = blocks.reduce((sum, { atMs }) => sum + (atMs - x) ** 2, 0);
  const slope = blocks.reduce((sum, { atMs, value }) => sum + (atMs - x) * (value - y), 0) / spread;
  const rest = blocks.reduce((sum, { atMs, value }) => sum + (value - y - slope * (atMs - x)) ** 2, 0);
  const error = Math.sqrt(rest / (count - 2) / spread);
  return { perHour: slope * HOUR_MS, uncertainty: 2 * error * HOUR_MS };
}

function blocksOf(points: readonly Point[], valueOf: (block: readonly number[]) => number): Point[] {
  const size = Math.max(1, Math.ceil(points.length / BLOCKS));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) => {
    const block = points.slice(at * size, (at + 1) * size);
    return { atMs: mean(block.map(({ atMs }) => atMs)), value: valueOf(block.map(({ value }) => value)) };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
