import type { RunCountsQuery } from "@millrace/contract/manage/statistics";
import type { RunStatus } from "@millrace/contract/run-status";
import { type CountedTime, MINUTE_MS, minuteIds, toCountedTime } from "../../domain/counted-time.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { timeBounds } from "../../domain/run-filters.ts";
import { countRuns as readCounts, type RunCountRow } from "../../storage/statistics/count-runs.ts";
import type { StatisticsDesk } from "./statistics-desk.ts";

type StatusCounts = Partial<Record<RunStatus, number>>;

export interface RunCounts {
  readonly fromMs: number;
  readonly endMs: number;
  readonly isComplete: boolean;
  readonly totals: StatusCounts;
  readonly minutes: readonly { readonly atMs: number; readonly counts: StatusCounts }[];
}

const DEFAULT_MS = 60 * MINUTE_MS;
const MAX_DAYS = 1;

/** How many runs were created in each minute, by what has become of them. */
export async function countRuns(
  { statistics, nowMs }: { readonly statistics: StatisticsDesk; readonly nowMs: () => number },
  principal: Principal,
  query: RunCountsQuery,
): Promise<RunCounts> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  const flowId = query["filter[flowId]"];
  const now = nowMs();
  const time = toCountedTime(timeBounds(query, now), {
    nowMs: now,
    defaultMs: DEFAULT_MS,
    maxDays: MAX_DAYS,
  });
  const question = ["counts", organizationId, flowId, time.lowestId, time.endId].join(" ");
  const { rows, firstMinute } = await statistics.ask(question, (db) =>
    readCounts(db, { organizationId, flowId, endId: time.endId, minuteIds: minuteIds(time) }),
  );
  return toCounts(time, rows, firstMinute);
}

function toCounts(time: CountedTime, rows: readonly RunCountRow[], firstMinute: number): RunCounts {
  const totals: StatusCounts = {};
  const minutes = new Map<number, StatusCounts>();
  for (const { minute, status, count } of rows) {
    const atMs = time.fromMs + minute * MINUTE_MS;
    const counts = minutes.get(atMs) ?? {};
    minutes.set(atMs, { ...counts, [status]: count });
    totals[status] = (totals[status] ?? 0) + count;
  }
  return {
    fromMs: time.fromMs + firstMinute * MINUTE_MS,
    endMs: time.endMs,
    isComplete: firstMinute === 0,
    totals,
    minutes: Array.from(minutes, ([atMs, counts]) => ({ atMs, counts })),
  };
}
