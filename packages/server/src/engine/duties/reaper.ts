import type { ChangedRun } from "../../domain/changed-run.ts";
import type { Duty } from "../../lifecycle/duty.ts";
import { forgetProcesses } from "../../storage/processes/processes.ts";
import type { Pool } from "../../storage/pool.ts";
import { reapRuns } from "../../storage/runs/reap-runs.ts";
import { timeOutRuns } from "../../storage/runs/time-out-runs.ts";
import type { EngineMetrics } from "../../telemetry/metrics.ts";

export interface EngineDutyParts {
  readonly pool: Pool;
  readonly onChanged: (changed: readonly ChangedRun[]) => void;
  readonly dispatch: (organizationId: string) => void;
  readonly wake: () => void;
  readonly metrics?: Pick<EngineMetrics, "recoveries">;
}

/** Takes over the runs of processes that are gone, and ends those that are past their time. */
export function reaper({ pool, onChanged, dispatch, wake, metrics }: EngineDutyParts): Duty {
  return {
    name: "reaper",
    intervalMs: 1_000,
    async runOnce() {
      const reaped = await reapRuns(pool);
      const late = await timeOutRuns(pool);
      metrics?.recoveries.inc(reaped.length);
      const changed = [...reaped, ...late.map((run) => ({ ...run, status: "TIMED_OUT" as const }))];
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
