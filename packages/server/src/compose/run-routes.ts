import { randomUUID } from "node:crypto";
import type { RunStatus } from "@millrace/contract/run-status";
import type { Engine } from "../engine/engine.ts";
import type { Route } from "../http/route.ts";
import { cancelQueueItemRoute } from "../http/routes/cancel-queue-item.ts";
import { cancelRunRoute } from "../http/routes/cancel-run.ts";
import { compareRunsRoute } from "../http/routes/compare-runs.ts";
import { forkRunRoute } from "../http/routes/fork-run.ts";
import { explainRunRoute } from "../http/routes/explain-run.ts";
import { getQueueItemRoute } from "../http/routes/get-queue-item.ts";
import { getRunRoute } from "../http/routes/get-run.ts";
import { listFlowRunsRoute } from "../http/routes/list-flow-runs.ts";
import { listQueueItemsRoute } from "../http/routes/list-queue-items.ts";
import { listRunNodesRoute } from "../http/routes/list-run-nodes.ts";
import { listRunsRoute } from "../http/routes/list-runs.ts";
import { streamRunRoute } from "../http/routes/stream-run.ts";
import { resumeByLinkRoute, resumeRunRoute, showResumeLinkRoute } from "../http/routes/resume-run.ts";
import { triggerRunRoute } from "../http/routes/trigger-run.ts";
import { RunAdmission } from "../operations/runs/admission.ts";
import { EndWaits } from "../operations/runs/end-waits.ts";
import type { ResumeLinks } from "../operations/runs/resume-links.ts";
import type { StartContext } from "../operations/runs/start-run.ts";
import { OrganizationWatch } from "../operations/runs/organization-watch.ts";
import { RunWatch } from "../operations/runs/run-watch.ts";
import type { EventStreams } from "../http/sse.ts";
import type { Foundation } from "./foundation.ts";

/** What starts runs, for whoever may: API, webhooks, schedules, agents. */
export function composeStart(
  { pools, library, ids, changes, metrics }: Foundation,
  engine: Engine | undefined,
  wakeOthers: () => void,
): StartContext {
  const admission = new RunAdmission({
    db: pools.api,
    processId: engine?.process.id ?? randomUUID(),
    worker: engine?.worker,
    onAdmitted: (organizationId, admissions) => {
      metrics.groupCommits.observe(admissions.length, "admission");
      for (const { outcome } of admissions) if (outcome === "no_credits") metrics.creditsRefused.inc();
      changes.publish(admissions.map(({ runId }) => ({ organizationId, id: runId })));
      if (!admissions.some(({ outcome }) => outcome === "admitted")) return;
      engine?.wake();
      wakeOthers();
    },
  });
  return { db: pools.api, library, ids, admission };
}

const MAX_STREAMS = 5_000;

/** One look-out for all streams of this process. */
export function composeRunWatch({ pools, changes, startDuty }: Foundation): RunWatch {
  const watch = new RunWatch({
    db: pools.api,
    maxListeners: MAX_STREAMS,
    live: changes.nodes,
  });
  changes.onChanged((changed) => watch.publish(changed));
  startDuty({ name: "run-watch", intervalMs: 1_000, runOnce: () => watch.poll() });
  return watch;
}

const MAX_ORGANIZATION_STREAMS = 1_000;

export function composeOrganizationWatch({
  pools,
  clock,
  changes,
  startDuty,
}: Foundation): OrganizationWatch {
  const watch = new OrganizationWatch({
    db: pools.api,
    nowMs: () => clock.nowMs(),
    maxReaders: MAX_ORGANIZATION_STREAMS,
  });
  changes.onChanged((changed) => watch.publish(changed));
  startDuty({ name: "organization-watch", intervalMs: 1_000, runOnce: () => watch.poll() });
  return watch;
}

const MAX_WAITING_REQUESTS = 1_000;

/** Requests that stay until a run has ended. */
export function composeEndWaits({ pools }: Foundation, watch: RunWatch): EndWaits {
  return new EndWaits({ db: pools.api, watch, maxWaiting: MAX_WAITING_REQUESTS });
}

export interface RunRouteParts {
  readonly engine: Engine | undefined;
  readonly start: StartContext;
  readonly watch: RunWatch;
  readonly streams: EventStreams;
  readonly waits: EndWaits;
  readonly links: ResumeLinks;
}

export function composeRunRoutes(
  foundation: Foundation,
  { engine, start, watch, streams, waits, links }: RunRouteParts,
): Route[] {
  const { config, clock, changes } = foundation;
  /** A slot is free, or a run waits for one: whoever can dispatch does, and streams hear of it. */
  const onMoved = (organizationId: string, id: string, status?: RunStatus) => {
    changes.publish([{ organizationId, id, status }]);
    engine?.dispatch(organizationId);
  };
  const context = {
    ...start,
    links,
    watch,
    now: () => clock.now(),
    nowMs: () => clock.nowMs(),
    onResumed: (organizationId: string, runId: string) => onMoved(organizationId, runId),
    onCanceled: (organizationId: string, runId: string) => {
      engine?.worker.stopRuns([runId]);
      onMoved(organizationId, runId, "CANCELED");
    },
  };
  return [
    triggerRunRoute(context, waits, { takesTraces: config.tracesEndpoint !== undefined }),
    listRunsRoute(context),
    listQueueItemsRoute(context),
    getQueueItemRoute(context),
    cancelQueueItemRoute(context),
    getRunRoute(context),
    explainRunRoute(context),
    listRunNodesRoute(context),
    listFlowRunsRoute(context),
    streamRunRoute(context, streams),
    cancelRunRoute(context),
    forkRunRoute(context),
    compareRunsRoute(context),
    resumeRunRoute(context),
    resumeByLinkRoute(context),
    showResumeLinkRoute(context),
  ];
}
