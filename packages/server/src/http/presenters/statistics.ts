import type { FlowStatisticsWire, RunCountsWire } from "@millrace/contract/manage/statistics";
import type { RunCounts } from "../../operations/statistics/count-runs.ts";
import type { FlowStatistics } from "../../operations/statistics/read-flow-statistics.ts";

export function presentRunCounts({ fromMs, endMs, isComplete, totals, minutes }: RunCounts): RunCountsWire {
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(endMs).toISOString(),
    complete: isComplete,
    totals,
    minutes: minutes.map(({ atMs, counts }) => ({ minute: new Date(atMs).toISOString(), counts })),
  };
}

export function presentFlowStatistics({
  flowId,
  fromMs,
  endMs,
  runs,
  nodes,
}: FlowStatistics): FlowStatisticsWire {
  return {
    flowId,
    from: new Date(fromMs).toISOString(),
    to: new Date(endMs).toISOString(),
    runs: { ended: runs.ended, ...presentFigures(runs, runs.ended) },
    nodes: nodes.map((node) => ({
      nodeId: node.nodeId,
      type: node.type,
      executions: node.executions,
      ...presentFigures(node, node.executions),
    })),
    sampledRuns: nodes[0]?.sampledRuns ?? 0,
  };
}

interface Figures {
  readonly failed: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

function presentFigures({ failed, p50, p95 }: Figures, of: number) {
  return { failed, errorRate: of > 0 ? failed / of : null, p50Seconds: inMs(p50), p95Seconds: inMs(p95) };
}

/** No more digits than the clock has. */
function inMs(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000_000) / 1_000_000;
}
