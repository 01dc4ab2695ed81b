const ROUNDS = 5_000_000;
const WARM_UPS = 5;

/** What the work comes to is kept, or it would not be done. */
let sum = 0;
let bestMs = Infinity;

function work(): void {
  let next = sum;
  for (let at = 0; at < ROUNDS; at += 1) next = (Math.imul(next, 31) + at) | 0;
  sum = next;
}

/**
 * How many times longer the machine takes for the same work now than at its best so far. Where others use its cores too, it
 * needs more processor time for everything, and nothing else tells.
 */
export function slowness(): number {
  // Until it is compiled.
  if (bestMs === Infinity) for (let count = 0; count < WARM_UPS; count += 1) work();
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1000;
  bestMs = Math.min(bestMs, ms);
  return ms / bestMs;
}
