import type { Invariant } from "./invariant.ts";

const POISON_LIMIT_MS = 80_000;
const LEAST_THROUGHPUT = 0.9;

/**
 * Attempts and recoveries stay within their bounds. A flow that kills its worker each time ends CRASHED in 4 × 20 s,
 * and meanwhile nine tenths of what the others are asked is done within ten seconds: a probe after the faults, so that
 * nothing else slows them down.
 */
export const boundedRepeat: Invariant = {
  number: 16,
  name: "Bounded repeat",
  check({ runs, moves, probes: { poison, missing } }) {
    const violations: string[] = [];
    for (const { id, attempt, maxAttempts, recoveries, status } of runs.values()) {
      if (attempt > maxAttempts) violations.push(`${id} is at attempt ${attempt} of ${maxAttempts}`);
      if (recoveries > 3 || (status === "CRASHED" && recoveries !== 3))
        violations.push(`${id} is ${status} after ${recoveries} recoveries`);
      const claims = (moves.get(id) ?? []).filter(
        ({ newStatus, oldStatus }) => newStatus === "EXECUTING" && oldStatus !== newStatus,
      );
      if (claims.length === 0 && status === "COMPLETED")
        violations.push(`${id} is COMPLETED and was never claimed`);
    }
    if (missing !== undefined) violations.push(missing);
    if (!poison) return { checked: `${runs.size} runs`, violations };
    const { runId, endedMs, throughput, asked } = poison;
    if (runs.get(runId)?.status !== "CRASHED" || endedMs > POISON_LIMIT_MS)
      violations.push(`the poisonous ${runId} is ${runs.get(runId)?.status} after ${endedMs} ms`);
    if (throughput < LEAST_THROUGHPUT)
      violations.push(`meanwhile the others completed ${(throughput * 100).toFixed(0)} % of ${asked} runs`);
    const others = `${(throughput * 100).toFixed(0)} % of ${asked} others`;
    return {
      checked: `${runs.size} runs; poison CRASHED in ${(endedMs / 1_000).toFixed(1)} s beside ${others}`,
      violations,
    };
  },
};
