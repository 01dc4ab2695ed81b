import { acknowledgedRun } from "../api-client.ts";
import { groupBy } from "../evidence.ts";
import type { Invariant } from "./invariant.ts";

/**
 * Every acknowledged fork is one run, a refused one none, an unknown one at most one, and one key has one. What a fork has
 * copied is byte-equal to what it was copied from, and no node of which it has copied the output is executed by it.
 */
export const forks: Invariant = {
  number: 20,
  name: "Forks",
  check({ world, runs, calls, copies }) {
    const violations: string[] = [];
    const asked = world.history.of("fork");
    const made = groupBy(
      [...runs.values()].filter(({ forkOp }) => forkOp !== null),
      ({ forkOp }) => forkOp!,
    );
    for (const { id, outcome, status, about, ...operation } of asked) {
      const own = made.get(id) ?? [];
      const runId = acknowledgedRun({ id, outcome, status, about, ...operation });
      if (own.length > 1)
        violations.push(`${id} made ${own.length} forks: ${own.map((run) => run.id).join(", ")}`);
      if (outcome === "fail" && own.length > 0)
        violations.push(`${id} was refused with ${status} and has a fork all the same: ${own[0]!.id}`);
      if (runId === undefined) continue;
      const run = runs.get(runId);
      if (run?.forkedFrom !== about["runId"])
        violations.push(`${id} was acknowledged as ${runId}, which is no fork of ${String(about["runId"])}`);
    }
    const keyed = groupBy(
      asked.filter(({ about }) => about["key"] !== undefined),
      ({ about }) => `${String(about["runId"])} ${String(about["key"])}`,
    );
    for (const [key, operations] of keyed) {
      const told = new Set(operations.flatMap((operation) => acknowledgedRun(operation) ?? []));
      const stored = new Set(operations.flatMap(({ id }) => (made.get(id) ?? []).map((run) => run.id)));
      if (told.size > 1 || stored.size > 1)
        violations.push(
          `${key} was answered with ${[...told].join(", ")} and made ${[...stored].join(", ")}`,
        );
    }
    for (const { runId, nodeKey, isEqual } of copies) {
      if (!runs.has(runId)) violations.push(`${nodeKey} was copied into ${runId}, which does not exist`);
      if (!isEqual) violations.push(`${nodeKey} of ${runId} is not what it was copied from`);
      if ((calls.get(runId) ?? []).some((call) => call.nodeKey === nodeKey))
        violations.push(`${runId} has executed ${nodeKey}, whose output it had copied`);
    }
    const count = [...runs.values()].filter(({ forkedFrom }) => forkedFrom !== null).length;
    return {
      checked: `${asked.length} requests, ${count} forks, ${copies.length} copied records`,
      violations,
    };
  },
};
