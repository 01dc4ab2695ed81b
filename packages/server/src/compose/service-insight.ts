import type { Route } from "../http/route.ts";
import { examineDiskRoute } from "../http/routes/manage/examine-disk.ts";
import { getTranscriptRoute } from "../http/routes/manage/get-transcript.ts";
import { listAgentSessionsRoute } from "../http/routes/manage/list-agent-sessions.ts";
import { listDutiesRoute } from "../http/routes/manage/list-duties.ts";
import { listProcessesRoute } from "../http/routes/manage/list-processes.ts";
import type { StatisticsDesk } from "../operations/statistics/statistics-desk.ts";
import type { Foundation } from "./foundation.ts";

/** What is seen of the service itself, and of its chats. */
export function composeServiceInsightRoutes(
  { config, pools, clock, processId, duties }: Foundation,
  statistics: StatisticsDesk,
): Route[] {
  const context = {
    db: pools.api,
    processId,
    statistics,
    duties: () => duties.map((duty) => duty.state()),
    retentionDays: config.retentionDays,
    dataDirectory: config.databaseUrl === undefined ? config.dataDirectory : undefined,
    nowMs: () => clock.nowMs(),
  };
  return [
    listProcessesRoute(context),
    listDutiesRoute(context),
    examineDiskRoute(context),
    listAgentSessionsRoute(context),
    getTranscriptRoute(context),
  ];
}
