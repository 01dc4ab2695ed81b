import type { Engine } from "../engine/engine.ts";
import type { Route } from "../http/route.ts";
import { getJobRoute } from "../http/routes/manage/get-job.ts";
import { listJobRunsRoute } from "../http/routes/manage/list-job-runs.ts";
import { listJobsRoute } from "../http/routes/manage/list-jobs.ts";
import { startJobRoute } from "../http/routes/manage/start-job.ts";
import { resumeJobRoute, stopJobRoute } from "../http/routes/manage/switch-job.ts";
import type { RunningDuty } from "../lifecycle/duty.ts";
import { workJobs } from "../operations/jobs/work-jobs.ts";
import type { StartContext } from "../operations/runs/start-run.ts";
import type { Foundation } from "./foundation.ts";

/** Whoever executes runs also works on jobs over many of them. */
export function startJobs(
  { pools, clock, changes, processId, startDuty }: Foundation,
  engine: Engine,
  start: StartContext,
): RunningDuty {
  const context = {
    ...start,
    db: pools.engine,
    processId,
    nowMs: () => clock.nowMs(),
    onCanceled: (organizationId: string, runId: string) => {
      engine.worker.stopRuns([runId]);
      changes.publish([{ organizationId, id: runId }]);
      engine.dispatch(organizationId);
    },
  };
  return startDuty({ name: "jobs", intervalMs: 1_000, runOnce: (signal) => workJobs(context, signal) });
}

/** `duty` works on them in this process, if anybody does. */
export function composeJobRoutes({ pools, ids, clock }: Foundation, duty: RunningDuty | undefined): Route[] {
  const context = {
    db: pools.api,
    pool: pools.api,
    ids,
    nowMs: () => clock.nowMs(),
    wakeJobs: () => duty?.wake(),
  };
  return [
    startJobRoute(context),
    listJobsRoute(context),
    getJobRoute(context),
    listJobRunsRoute(context),
    stopJobRoute(context),
    resumeJobRoute(context),
  ];
}
