import { acknowledgedRun } from "../api-client.ts";
import type { Invariant } from "./invariant.ts";

/**
 * Queue item and run are one row here, so "one to one" holds by construction; what can still go wrong is checked: the
 * three names of a 202 agree, an item that was deleted never began, and none stays "dispatching" for 15 s.
 */
export const queue: Invariant = {
  number: 7,
  name: "Queue",
  check({ world, samples, runs, calls, moves }) {
    const violations = [...samples.dispatching];
    const queued = world.history.of("trigger").filter(({ status }) => status === 202);
    for (const { id, answer } of queued) {
      const { queueId = "", runHistoryId = "" } = answer as { queueId?: string; runHistoryId?: string };
      if (queueId.replace("queue_", "") !== runHistoryId.replace("rh_", ""))
        violations.push(`${id} was answered ${queueId} and ${runHistoryId}`);
    }
    const deleted = world.history.of("delete-queued").filter(({ outcome }) => outcome === "ok");
    for (const operation of deleted) {
      const runId = acknowledgedRun(operation)!;
      const run = runs.get(runId);
      if (run?.status !== "CANCELED" || run.startedMs !== null || calls.has(runId))
        violations.push(
          `${operation.id} deleted ${runId} from the queue; it is ${run?.status}, started: ${run?.startedMs !== null}`,
        );
    }
    for (const [runId, own] of moves) {
      if (own.some(({ newStatus, newStage }) => newStatus === "EXECUTING" && newStage !== "admitted"))
        violations.push(`${runId} was executed without having been admitted`);
    }
    return { checked: `${queued.length} queued, ${deleted.length} deleted`, violations };
  },
};
