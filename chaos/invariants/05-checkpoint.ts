import { groupBy } from "../evidence.ts";
import type { Invariant } from "./invariant.ts";

/**
 * One output per node, never changed. A node whose output is stored is not executed again; one exception is the
 * world's and not the service's: a process that was stopped or cut off after it had been given the run may send a
 * request in the moment it comes back, before it can know. A node is executed at most once per claim of its run.
 */
export const checkpoint: Invariant = {
  number: 5,
  name: "Checkpoint",
  check({ world, nodeWrites, calls, owners }) {
    const { faults, stalls } = world;
    const violations: string[] = [];
    const stored = new Map<string, number>();
    for (const [runId, writes] of nodeWrites) {
      const outputs = writes.filter(({ status, action }) => status === "COMPLETED" || action === "DELETE");
      for (const [nodeKey, own] of groupBy(outputs, (write) => write.nodeKey)) {
        stored.set(`${runId} ${nodeKey}`, own[0]!.atMs);
        if (own.length > 1)
          violations.push(
            `${runId} ${nodeKey} was written ${own.length} times: ${own.map(({ action }) => action).join(", ")}`,
          );
      }
    }
    let repeats = 0;
    let count = 0;
    for (const [runId, own] of calls) {
      const claims = owners.get(runId) ?? [];
      for (const [nodeKey, executions] of groupBy(own, (call) => call.nodeKey)) {
        count += executions.length;
        repeats += executions.length - 1;
        if (executions.length > claims.length)
          violations.push(
            `${runId} ${nodeKey} was executed ${executions.length} times in ${claims.length} claims`,
          );
        const storedMs = stored.get(`${runId} ${nodeKey}`);
        for (const { beganMs } of executions) {
          // The recorder's clock is the database's, to the microsecond; the effect's is rounded down.
          if (storedMs === undefined || beganMs <= storedMs) continue;
          const back = claims.some(({ writer }) =>
            faults.impaired(writer, beganMs - stalls.allowanceMs(beganMs, beganMs), beganMs),
          );
          if (!back)
            violations.push(
              `${runId} ${nodeKey} was executed ${(beganMs - storedMs).toFixed(0)} ms after its output was stored`,
            );
        }
      }
    }
    return {
      checked: `${stored.size} outputs, ${count} executions of effects (${repeats} repeats)`,
      violations,
    };
  },
};
