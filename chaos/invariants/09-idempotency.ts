import { idTimeMs } from "../../packages/server/src/domain/ids.ts";
import { acknowledgedRun } from "../api-client.ts";
import { groupBy } from "../evidence.ts";
import type { Invariant } from "./invariant.ts";

/** One run per organization, scope and key, and every caller got that one; each minute of a schedule has one run. */
export const idempotency: Invariant = {
  number: 9,
  name: "Idempotency",
  check({ world, runsOfOperation, runs }) {
    const violations: string[] = [];
    const keyed = world.history.of("trigger", "webhook").filter(({ about }) => about["key"] !== undefined);
    const groups = groupBy(
      keyed,
      ({ kind, organizationId, about }) => `${kind} ${organizationId} ${String(about["key"])}`,
    );
    for (const [key, operations] of groups) {
      const made = new Set(
        operations.flatMap(({ id }) => (runsOfOperation.get(id) ?? []).map((run) => run.id)),
      );
      const told = new Set(operations.flatMap((operation) => acknowledgedRun(operation) ?? []));
      if (made.size > 1) violations.push(`${key} made ${made.size} runs: ${[...made].join(", ")}`);
      if (told.size > 1) violations.push(`${key} was answered with ${[...told].join(", ")}`);
      if (told.size === 1 && !made.has([...told][0]!))
        violations.push(`${key} was answered with ${[...told][0]} and made ${[...made][0] ?? "nothing"}`);
    }
    const scheduled = [...runs.values()].filter(({ source }) => source === "schedule");
    const minutes = new Set(scheduled.map(({ id }) => Math.floor(idTimeMs(id) / 60_000)));
    if (minutes.size < scheduled.length)
      violations.push(
        `the schedule of every minute made ${scheduled.length} runs in ${minutes.size} minutes`,
      );
    return {
      checked: `${groups.size} keys, ${keyed.length} requests, ${scheduled.length} scheduled`,
      violations,
    };
  },
};
