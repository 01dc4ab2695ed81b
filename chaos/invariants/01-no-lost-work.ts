import { acknowledgedRun } from "../api-client.ts";
import { isTerminal } from "../../packages/server/src/domain/run-status.ts";
import type { Invariant } from "./invariant.ts";

/**
 * Every acknowledged trigger has exactly one run, which has ended; a refused one has none; where the outcome is unknown
 * there is at most one. An acknowledged run was never "not found", on either API, while all this went on.
 */
export const noLostWork: Invariant = {
  number: 1,
  name: "No lost work",
  check({ world, runs, runsOfOperation }) {
    const violations: string[] = [];
    const triggers = world.history.of("trigger", "webhook");
    for (const operation of triggers) {
      const { id, outcome, status, about } = operation;
      const made = runsOfOperation.get(id) ?? [];
      const runId = acknowledgedRun(operation);
      if (made.length > 1)
        violations.push(`${id} made ${made.length} runs: ${made.map((run) => run.id).join(", ")}`);
      if (outcome === "fail" && made.length > 0)
        violations.push(`${id} was refused with ${status} and has a run all the same: ${made[0]!.id}`);
      if (outcome !== "ok") continue;
      if (runId === undefined) violations.push(`${id} was acknowledged with ${status} without an id`);
      else if (!runs.has(runId)) violations.push(`${id} was acknowledged as ${runId}, which does not exist`);
      // With a key the run may belong to another request of the same key: invariant 9.
      else if (about["key"] === undefined && made[0]?.id !== runId)
        violations.push(`${id} was acknowledged as ${runId} and made ${made[0]?.id ?? "nothing"}`);
    }
    for (const { id, status, organizationId } of runs.values()) {
      if (!isTerminal(status)) violations.push(`${id} of ${organizationId} is still ${status} after quiet`);
    }
    const reads = world.history.of("get");
    for (const { id, about, outcome, status } of reads) {
      if (outcome === "fail" && status !== undefined)
        violations.push(`${id}: the acknowledged ${String(about["runId"])} was answered ${status}`);
    }
    const acknowledged = triggers.filter(({ outcome }) => outcome === "ok").length;
    return {
      checked: `${acknowledged} acknowledged triggers, ${runs.size} runs, ${reads.length} reads meanwhile`,
      violations,
    };
  },
};
