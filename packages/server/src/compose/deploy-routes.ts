import { nodeTypes } from "../engine/nodes/registry.ts";
import type { Engine } from "../engine/engine.ts";
import type { Route } from "../http/route.ts";
import { activateFlowRoute } from "../http/routes/manage/activate-flow.ts";
import { applyDocumentsRoute } from "../http/routes/manage/apply-documents.ts";
import { deactivateFlowRoute } from "../http/routes/manage/deactivate-flow.ts";
import { deleteFlowRoute } from "../http/routes/manage/delete-flow.ts";
import { deleteTestRoute } from "../http/routes/manage/delete-test.ts";
import { detachFlowRoute } from "../http/routes/manage/detach-flow.ts";
import { listTestsRoute } from "../http/routes/manage/list-tests.ts";
import { putTestRoute } from "../http/routes/manage/put-test.ts";
import { diffFlowVersionsRoute } from "../http/routes/manage/diff-flow-versions.ts";
import { exportDocumentsRoute } from "../http/routes/manage/export-documents.ts";
import { getDraftRoute } from "../http/routes/manage/get-draft.ts";
import { getFlowVersionRoute } from "../http/routes/manage/get-flow-version.ts";
import { listFlowVersionsRoute } from "../http/routes/manage/list-flow-versions.ts";
import { getVariablesRoute } from "../http/routes/manage/get-variables.ts";
import { listVariableVersionsRoute } from "../http/routes/manage/list-variable-versions.ts";
import { setVariablesRoute } from "../http/routes/manage/set-variables.ts";
import { listManagedFlowsRoute } from "../http/routes/manage/list-flows.ts";
import { listSchedulesRoute } from "../http/routes/manage/list-schedules.ts";
import { pauseScheduleRoute } from "../http/routes/manage/pause-schedule.ts";
import { planDocumentsRoute } from "../http/routes/manage/plan-documents.ts";
import { previewFlowDeletionRoute } from "../http/routes/manage/preview-flow-deletion.ts";
import { publishDraftRoute } from "../http/routes/manage/publish-draft.ts";
import { putDraftRoute } from "../http/routes/manage/put-draft.ts";
import { resumeScheduleRoute } from "../http/routes/manage/resume-schedule.ts";
import { rollBackFlowRoute } from "../http/routes/manage/roll-back-flow.ts";
import { runDraftRoute } from "../http/routes/manage/run-draft.ts";
import { runScheduleRoute } from "../http/routes/manage/run-schedule.ts";
import { validateDraftRoute } from "../http/routes/manage/validate-draft.ts";
import type { ReplayDesk } from "../operations/backtest/replay-desk.ts";
import type { StartContext } from "../operations/runs/start-run.ts";
import type { Foundation } from "./foundation.ts";

interface DeployParts {
  readonly start: StartContext;
  readonly engine: Engine | undefined;
  readonly replays: ReplayDesk;
}

/** Documents, the versions and drafts of flows, and schedules. */
export function composeDeployRoutes(
  { pools, secrets, clock, changes }: Foundation,
  { start, engine, replays }: DeployParts,
): Route[] {
  const context = {
    ...start,
    pool: pools.api,
    secrets,
    catalogue: nodeTypes,
    replays,
    now: () => clock.now(),
    nowMs: () => clock.nowMs(),
    onCanceled: (organizationId: string, runId: string) => {
      engine?.worker.stopRuns([runId]);
      changes.publish([{ organizationId, id: runId }]);
      engine?.dispatch(organizationId);
    },
  };
  return [
    planDocumentsRoute(context),
    applyDocumentsRoute(context),
    exportDocumentsRoute(context),
    listManagedFlowsRoute(context),
    deleteFlowRoute(context),
    previewFlowDeletionRoute(context),
    listFlowVersionsRoute(context),
    getFlowVersionRoute(context),
    diffFlowVersionsRoute(context),
    rollBackFlowRoute(context),
    getDraftRoute(context),
    putDraftRoute(context),
    validateDraftRoute(context),
    publishDraftRoute(context),
    runDraftRoute(context),
    detachFlowRoute(context),
    listTestsRoute(context),
    putTestRoute(context),
    deleteTestRoute(context),
    activateFlowRoute(context),
    deactivateFlowRoute(context),
    getVariablesRoute(context),
    setVariablesRoute(context),
    listVariableVersionsRoute(context),
    listSchedulesRoute(context),
    runScheduleRoute(context),
    pauseScheduleRoute(context),
    resumeScheduleRoute(context),
  ];
}
