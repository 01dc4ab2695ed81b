import type { FlowStatisticsQuery } from "@millrace/contract/manage/statistics";
import { toCountedTime } from "../../domain/counted-time.ts";
import { type Principal, reaches } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { timeBounds } from "../../domain/run-filters.ts";
import { findFlow } from "../../storage/flows/find-flow.ts";
import type { Db } from "../../storage/pool.ts";
import {
  type NodeFigures,
  readNodeFigures,
  readRunFigures,
  type RunFigures,
} from "../../storage/statistics/read-flow-statistics.ts";
import type { StatisticsDesk } from "./statistics-desk.ts";

export interface FlowStatistics {
  readonly flowId: string;
  readonly fromMs: number;
  readonly endMs: number;
  readonly runs: RunFigures;
  readonly nodes: readonly NodeFigures[];
}

const DEFAULT_MS = 86_400_000;
const MAX_DAYS = 31;

/** How long the runs of a flow and their nodes take, and how often they fail. */
export async function readFlowStatistics(
  context: { readonly db: Db; readonly statistics: StatisticsDesk; readonly nowMs: () => number },
  principal: Principal,
  flowId: string,
  query: FlowStatisticsQuery,
): Promise<FlowStatistics> {
  const flow = await findFlow(context.db, flowId);
  if (!flow || !reaches(principal, flow.organizationId))
    throw new Refusal("flow_not_found", { messageParams: { flowId } });
  const { organizationId } = flow;
  const nowMs = context.nowMs();
  const time = toCountedTime(timeBounds(query, nowMs), { nowMs, defaultMs: DEFAULT_MS, maxDays: MAX_DAYS });
  const of = { organizationId, flowId, lowestId: time.lowestId, endId: time.endId };
  const question = ["statistics", ...Object.values(of)].join(" ");
  const figures = await context.statistics.ask(question, async (db) => ({
    runs: await readRunFigures(db, of),
    nodes: await readNodeFigures(db, of),
  }));
  return { flowId, fromMs: time.fromMs, endMs: time.endMs, ...figures };
}
