import { createHash } from "node:crypto";

/** How fast native code hashes it does not depend on what V8 has compiled, or thrown away. */
const piece = Buffer.alloc(64_000, "m");
const PIECES = 32;
/** Any may be interrupted. */
const TRIES = 8;

let bestMs = Infinity;

function timeWork(): number {
  const startedAt = performance.now();
  const hash = createHash("sha256");
  for (let at = 0; at < PIECES; at += 1) hash.update(piece);
  hash.digest();
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
