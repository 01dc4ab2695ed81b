import { idTimeMs } from "../../packages/server/src/domain/ids.ts";
import { dueKey } from "../../packages/server/src/operations/schedules/fire-schedules.ts";
import { acknowledgedRun } from "../api-client.ts";
import { groupBy, type RunRow } from "../evidence.ts";
import { SCHEDULE_ID } from "../flows.ts";
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
    const dueTimes = new Map(scheduled.map((run) => [run.id, dueTimeOf(run)]));
    for (const [id, dueAt] of dueTimes)
      if (dueAt === undefined) violations.push(`${id} was started by the schedule for no minute`);
    if (new Set(dueTimes.values()).size < scheduled.length)
      violations.push(`the schedule of every minute made ${scheduled.length} runs: ${describe(dueTimes)}`);
    return {
      checked: `${groups.size} keys, ${keyed.length} requests, ${scheduled.length} scheduled`,
      violations,
    };
  },
};

const MINUTE_MS = 60_000;
// Missed minutes are made up for later, and the clock that names a run lags behind in a process that was stopped.
const LATEST_MINUTES = 15;

/** The minute a run was started for, known by its key: when it was started tells nothing while faults delay it. */
function dueTimeOf({ id, flowId, dueHash }: RunRow): string | undefined {
  const aroundMs = Math.floor(idTimeMs(id) / MINUTE_MS) * MINUTE_MS;
  const minutes = Array.from(
    { length: LATEST_MINUTES * 2 },
    (_, at) => new Date(aroundMs + (at - LATEST_MINUTES) * MINUTE_MS),
  );
  const due = minutes.find(
    (dueAt) => dueKey({ id: SCHEDULE_ID, flowId, dueAt }).keyHash.toString("hex") === dueHash,
  );
  return due?.toISOString();
}

function describe(dueTimes: ReadonlyMap<string, string | undefined>): string {
  return [...dueTimes].map(([id, dueAt]) => `${id} for ${dueAt ?? "none"}`).join(", ");
}
