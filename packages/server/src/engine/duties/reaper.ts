import type { Duty } from "../../lifecycle/duty.ts";
import { forgetProcesses } from "../../storage/processes/processes.ts";
import type { Pool } from "../../storage/pool.ts";
import { reapRuns } from "../../storage/runs/reap-runs.ts";
import { timeOutRuns } from "../../storage/runs/time-out-runs.ts";

export interface EngineDutyParts {
  readonly pool: Pool;
  readonly onChanged: (changed: readonly { organizationId: string; id: string }[]) => void;
  readonly dispatch: (organizationId: string) => void;
  readonly wake: () => void;
}

/** Takes over the runs of processes that are gone, and ends those that are past their time. */
export function reaper({ pool, onChanged, dispatch, wake }: EngineDutyParts): Duty {
  return {
    name: "reaper",
    intervalMs: 1_000,
    async runOnce() {
      const reaped = await reapRuns(pool);
      const late = await timeOutRuns(pool);
      const changed = [...reaped, ...late];
      if (changed.length > 0) {
        onChanged(changed);
        for (const organizationId of new Set(changed.map((run) => run.organizationId)))
          dispatch(organizationId);
        wake();
      }
      await forgetProcesses(pool);
    },
  };
}
