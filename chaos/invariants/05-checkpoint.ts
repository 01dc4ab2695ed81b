import { groupBy } from "../evidence.ts";
import type { NodeWrite } from "../recorder.ts";
import type { Invariant } from "./invariant.ts";

/**
 * What ended, stays: a node that completed, or failed and was handled, has one record of that, the last one that is written
 * of it; before it there may be what was known while it was under way. Such a node is not executed again; one
 * exception is the world's and not the service's: a process that was stopped or cut off after it had been given the
 * run may send a request in the moment it comes back, before it can know. Beside the attempts that its flow asks for, a
 * node is executed at most once more for each time its run was given to somebody else.
 */
export const checkpoint: Invariant = {
  number: 5,
  name: "Checkpoint",
  check({ world, nodeWrites, calls, owners }) {
    const { faults, stalls } = world;
    const violations: string[] = [];
    const stored = new Map<string, number>();
    for (const [runId, writes] of nodeWrites) {
      for (const [nodeKey, own] of groupBy(writes, (write) => write.nodeKey)) {
        const end = own.find(hasPassed);
        if (end !== undefined) stored.set(`${runId} ${nodeKey}`, end.atMs);
        const fault = faultOf(own);
        if (fault !== undefined) violations.push(`${runId} ${nodeKey} ${fault}: ${own.map(tell).join(", ")}`);
      }
    }
    let repeats = 0;
    let count = 0;
    for (const [runId, own] of calls) {
      const claims = owners.get(runId) ?? [];
      for (const [nodeKey, executions] of groupBy(own, (call) => call.nodeKey)) {
        count += executions.length;
        repeats += executions.length - 1;
        const written = nodeWrites.get(runId)?.filter((write) => write.nodeKey === nodeKey) ?? [];
        const attempts = Math.max(1, ...written.map((write) => write.attempts ?? 1));
        if (executions.length > attempts + claims.length - 1)
          violations.push(
            `${runId} ${nodeKey} was executed ${executions.length} times in ${attempts} attempts and ${claims.length} claims`,
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

function hasPassed({ status, handle }: NodeWrite): boolean {
  return status === "COMPLETED" || (status === "FAILED" && handle !== null);
}

/** Why the records of one node cannot have followed each other. */
function faultOf(writes: readonly NodeWrite[]): string | undefined {
  if (writes.some(({ action }, at) => action !== (at === 0 ? "INSERT" : "UPDATE")))
    return "was not written once and then updated";
  if (writes.slice(0, -1).some(hasPassed)) return "was written again after its end";
  const forgets = writes.some(({ status, attempts }, at) => {
    const next = writes[at + 1];
    return status === "EXECUTING" && next !== undefined && (next.attempts ?? 0) < (attempts ?? 0);
  });
  return forgets ? "forgot attempts" : undefined;
}

function tell({ action, status, attempts, epoch }: NodeWrite): string {
  return `${action} ${status} (${attempts} attempts, epoch ${epoch})`;
}
