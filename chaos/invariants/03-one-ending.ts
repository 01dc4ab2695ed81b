import { groupBy } from "../evidence.ts";
import { isTerminal } from "../../packages/server/src/domain/run-status.ts";
import { ORGANIZATIONS } from "../workspace.ts";
import type { Invariant } from "./invariant.ts";

/**
 * A run ends once: one move into a terminal status and, where an organization listens (only there are events written),
 * exactly one event that ends it, with the status of the row.
 */
export const oneEnding: Invariant = {
  number: 3,
  name: "One ending",
  check({ runs, moves, events }) {
    const violations: string[] = [];
    const listening = new Set(ORGANIZATIONS.filter(({ listens }) => listens).map(({ id }) => id));
    const endings = groupBy(
      events.filter(({ type, status }) => type.startsWith("run.") && status !== null && isTerminal(status)),
      ({ runId }) => runId!,
    );
    let told = 0;
    for (const { id, status, organizationId } of runs.values()) {
      const ends = (moves.get(id) ?? []).filter(({ newStatus }) => isTerminal(newStatus));
      if (isTerminal(status) && ends.length !== 1)
        violations.push(`${id} is ${status} and moved to an end ${ends.length} times`);
      if (!listening.has(organizationId)) continue;
      told += 1;
      const own = endings.get(id) ?? [];
      if (own.length !== (isTerminal(status) ? 1 : 0) || (own[0] && own[0].status !== status))
        violations.push(
          `${id} is ${status}; its ending events: ${own.map((event) => event.type).join(", ") || "none"}`,
        );
    }
    return { checked: `${runs.size} runs, ${told} of them with events`, violations };
  },
};
