import type { Duty } from "../../lifecycle/duty.ts";
import { answerDueWaits } from "../../storage/runs/answer-waits.ts";
import { findOrganizationsToDispatch } from "../../storage/runs/dispatch-runs.ts";
import { wakeDelayedRuns } from "../../storage/runs/wake-delayed-runs.ts";
import type { EngineDutyParts } from "./reaper.ts";

/** Whoever's time has come stands in the queue, and nobody stands there while a slot is free. */
export function dispatcher({ pool, dispatch }: EngineDutyParts): Duty {
  return {
    name: "dispatcher",
    intervalMs: 500,
    async runOnce() {
      const due = [...(await wakeDelayedRuns(pool)), ...(await answerDueWaits(pool))];
      const waiting = await findOrganizationsToDispatch(pool);
      for (const organizationId of new Set([...due, ...waiting])) dispatch(organizationId);
    },
  };
}
