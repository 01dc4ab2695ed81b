const ROUNDS = 2_000_000;
/** The first ones are for V8, which throws away what it has compiled where it is not used, and any may be interrupted. */
const TRIES = 8;

/** What the work comes to is kept, or it would not be done. */
let sum = 0;
let bestMs = Infinity;

function work(): void {
  let next = sum;
  for (let at = 0; at < ROUNDS; at += 1) next = (Math.imul(next, 31) + at) | 0;
  sum = next;
}

function timeWork(): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/**
 * How many times longer the machine takes for the same work now than at its best so far. Where others use its cores too, it
 * needs more processor time for everything, and nothing else tells: the kernel may count processor time in steps of 4 ms.
 */
export function slowness(): number {
  const ms = Math.min(...Array.from({ length: TRIES }, timeWork));
  bestMs = Math.min(bestMs, ms);
  return ms / bestMs;
}
