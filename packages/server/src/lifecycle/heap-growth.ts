import { getHeapStatistics, setFlagsFromString } from "node:v8";

const mostBytes = 240_000_000;
const lookMs = 100;
const percents = { least: 40, most: 300, step: 20 };

/**
 * V8 lets a heap grow to up to four times what is in use before it cleans up, which is fine for a small one. After every
 * collection it is told how far this one may grow.
 */
export function limitHeapGrowth(): void {
  let usedBefore = 0;
  setInterval(() => {
    const { used_heap_size: used } = getHeapStatistics();
    if (used < usedBefore) setFlagsFromString(`--heap-growing-percent=${percentFor(used)}`);
    usedBefore = used;
  }, lookMs).unref();
}

function percentFor(used: number): number {
  const { least, most, step } = percents;
  const percent = (100 * (mostBytes - used)) / used;
  return Math.round(Math.min(most, Math.max(least, percent)) / step) * step;
}
