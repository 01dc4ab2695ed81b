import type { Invariant } from "./invariant.ts";

const LIMIT_MS = 2_000;
const PAUSE_MS = 6_000;
/** A process knows the database's time to half a round trip, which chaos makes longer. */
const CLOCK_MS = 500;

/** Never before its time by the database's clock, whatever the processes' clocks say; at most 2 s late. */
export const delay: Invariant = {
  number: 12,
  name: "Delay",
  check({ world, moves, calls, runs }) {
    const { faults, stalls } = world;
    const violations: string[] = [];
    let delayed = 0;
    let paused = 0;
    const isLate = (dueMs: number, atMs: number) =>
      atMs > dueMs + LIMIT_MS + stalls.allowanceMs(dueMs, atMs) && !faults.disturbed(dueMs, atMs);
    for (const [runId, own] of moves) {
      const before = calls.get(runId)?.find(({ nodeKey }) => nodeKey === "before")?.beganMs;
      let pausedMs: number | undefined;
      for (const { oldStage, newStage, newStatus, oldStatus, dueMs, atMs } of own) {
        if (newStatus === "EXECUTING" && dueMs !== null && dueMs > atMs)
          violations.push(`${runId} began ${(dueMs - atMs).toFixed(0)} ms before it was due`);
        if (oldStage === "delayed" && newStage === "queued" && dueMs !== null) {
          delayed += 1;
          if (isLate(dueMs, atMs))
            violations.push(`${runId} stood in the queue ${(atMs - dueMs).toFixed(0)} ms after it was due`);
        }
        if (!runs.get(runId)?.flowId.endsWith("_paused")) continue;
        if (newStatus === "PAUSED") pausedMs = atMs;
        if (oldStatus !== "PAUSED") continue;
        paused += 1;
        if (before !== undefined && atMs < before + PAUSE_MS - CLOCK_MS)
          violations.push(
            `${runId} was to wait ${PAUSE_MS} ms and went on after ${(atMs - before).toFixed(0)} ms`,
          );
        if (pausedMs !== undefined && isLate(pausedMs + PAUSE_MS, atMs))
          violations.push(`${runId} went on ${(atMs - pausedMs - PAUSE_MS).toFixed(0)} ms too late`);
      }
    }
    return { checked: `${delayed} delays and retries, ${paused} waits`, violations };
  },
};
