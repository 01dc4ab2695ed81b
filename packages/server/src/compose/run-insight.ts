import type { Route } from "../http/route.ts";
import { countRunsRoute } from "../http/routes/manage/count-runs.ts";
import { getFlowStatisticsRoute } from "../http/routes/manage/get-flow-statistics.ts";
import { getNodeValuesRoute } from "../http/routes/manage/get-node-values.ts";
import { getRunTriggerRoute } from "../http/routes/manage/get-run-trigger.ts";
import { listApprovalsRoute } from "../http/routes/manage/list-approvals.ts";
import { listNodeRecordsRoute } from "../http/routes/manage/list-node-records.ts";
import { streamRunsRoute } from "../http/routes/manage/stream-runs.ts";
import type { EventStreams } from "../http/sse.ts";
import type { StatisticsDesk } from "../operations/statistics/statistics-desk.ts";
import type { Foundation } from "./foundation.ts";
import { composeOrganizationWatch } from "./run-routes.ts";

/** What is seen of runs beyond the contract: nodes without values, values on demand, all runs as they change, figures. */
export function composeInsightRoutes(
  foundation: Foundation,
  { streams, statistics }: { readonly streams: EventStreams; readonly statistics: StatisticsDesk },
): Route[] {
  const { pools, library, changes, clock } = foundation;
  const context = {
    db: pools.api,
    library,
    live: changes.nodes,
    nowMs: () => clock.nowMs(),
    statistics,
    organizationWatch: composeOrganizationWatch(foundation),
  };
  return [
    listNodeRecordsRoute(context),
    getNodeValuesRoute(context),
    getRunTriggerRoute(context),
    streamRunsRoute(context, streams),
    countRunsRoute(context),
    getFlowStatisticsRoute(context),
    listApprovalsRoute(context),
  ];
}
