const ROUNDS = 5_000_000;
let bestMs = Infinity;

/**
 * How many times longer the machine takes for the same work now than at its best so far. Where others use its cores too, it
 * needs more processor time for everything, and nothing else tells.
 */
export function slowness(): number {
  const before = process.threadCpuUsage();
  let sum = 0;
  for (let at = 0; at < ROUNDS; at += 1) sum = (sum + at * 7) | 0;
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1000 + (sum === 0.5 ? 1 : 0);
  bestMs = Math.min(bestMs, ms);
  return ms / bestMs;
}
