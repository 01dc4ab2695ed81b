import type { Invariant } from "./invariant.ts";

const LIMIT_MS = 2_000;

/**
 * A run that was answered CANCELED stays it; 2 s after `canceledAt` none of its effects begins and none is still open.
 * Whoever executed it must have been able to hear of it: while its process is stopped or cut off, the limit waits.
 */
export const cancel: Invariant = {
  number: 10,
  name: "Cancel",
  check({ world, runs, moves, owners, calls }) {
    const { history, faults, stalls } = world;
    const violations: string[] = [];
    const canceled = history.of("cancel").filter(({ outcome }) => outcome === "ok");
    let open = 0;
    for (const { id, about, answer } of canceled) {
      const runId = String(about["runId"]);
      const canceledMs = Date.parse((answer as { canceledAt: string }).canceledAt);
      const run = runs.get(runId);
      if (run?.status !== "CANCELED" || Math.abs((run.completedMs ?? 0) - canceledMs) > 1)
        violations.push(
          `${id} cancelled ${runId} at ${canceledMs}; it is ${run?.status} since ${run?.completedMs}`,
        );
      const last = moves.get(runId)?.at(-1);
      if (last?.newStatus !== "CANCELED")
        violations.push(`${runId} moved to ${last?.newStatus} after it was cancelled`);
      const owner = owners.get(runId)?.at(-1)?.writer;
      for (const call of calls.get(runId) ?? []) {
        const endedMs = call.endedMs ?? Number.POSITIVE_INFINITY;
        if (endedMs <= canceledMs) continue;
        open += 1;
        const untilMs = Math.min(endedMs, Date.now());
        const limitMs = canceledMs + LIMIT_MS + stalls.allowanceMs(canceledMs, untilMs);
        if (endedMs <= limitMs && call.beganMs <= limitMs) continue;
        if (owner !== undefined && faults.impaired(owner, canceledMs - 1_000, limitMs)) continue;
        violations.push(
          `${runId} was cancelled; its effect ${call.name} began ${call.beganMs - canceledMs} ms and ended ${endedMs - canceledMs} ms after that`,
        );
      }
    }
    return { checked: `${canceled.length} cancelled, ${open} effects under way`, violations };
  },
};
