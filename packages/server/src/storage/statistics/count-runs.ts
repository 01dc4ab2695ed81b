import { type RunStatus, runStatuses } from "@millrace/contract/run-status";
import { assumed, bigint, oneOf, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

/** Counting ends behind the minutes that reach it. */
const MAX_COUNTED = 1_000_000;
const FEW_MINUTES = 10;
const MANY_MINUTES = 480;
/** Where that many minutes hold no more than this, twice as many are counted at once. */
const FEW_RUNS = 100_000;

/**
 * Minute by minute along an index that holds the status, so that no row of a run is read: a list of a day's minutes, each
 * a short walk. `present` first asks which statuses there are at all.
 */
const counting = (filter: string) => `WITH minutes AS (
       SELECT m.place, m.low COLLATE "C" AS low, m.high COLLATE "C" AS high
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS m(low, high, place)
     ), present AS MATERIALIZED (
       SELECT s.status FROM unnest($4::text[]) AS s(status)
        WHERE EXISTS (SELECT FROM runs r WHERE ${filter} AND r.status = s.status
                         AND r.id >= ($2::text[])[1] COLLATE "C" AND r.id < ($3::text[])[cardinality($3::text[])] COLLATE "C")
     )
     SELECT m.place, p.status, counted.count FROM minutes m CROSS JOIN present p
      CROSS JOIN LATERAL (SELECT count(*) AS count FROM runs r
        WHERE ${filter} AND r.status = p.status AND r.id >= m.low AND r.id < m.high) AS counted
      WHERE counted.count > 0`;

const columns = { place: bigint, status: assumed(orNull(oneOf(...runStatuses))), count: bigint };

/** Most runs have completed, and no index holds those alone: they are what is left of all. */
const COUNT_RUNS = statement({
  text: `${counting(`r.organization_id = $1 AND r.status <> 'COMPLETED'`)}
     UNION ALL
     SELECT m.place, NULL, counted.count FROM minutes m
      CROSS JOIN LATERAL (SELECT count(*) AS count FROM runs r
        WHERE r.organization_id = $1 AND r.id >= m.low AND r.id < m.high) AS counted
      WHERE counted.count > 0
      ORDER BY place`,
  columns,
});
const COUNT_RUNS_OF_FLOW = statement({
  text: `${counting(`r.organization_id = $1 AND r.flow_id = $5`)} ORDER BY place`,
  columns,
});

export interface RunCountRow {
  /** Of the minute, from 0. */
  readonly minute: number;
  readonly status: RunStatus;
  readonly count: number;
}

interface CountedRuns {
  readonly rows: readonly RunCountRow[];
  /** The first minute that was counted. */
  readonly firstMinute: number;
}

/** Newest minutes first, until all are counted or the runs are many. `minuteIds`: the lowest id of each, in order. */
export async function countRuns(
  db: Db,
  {
    organizationId,
    flowId,
    minuteIds,
    endId,
  }: {
    readonly organizationId: string;
    readonly flowId: string | undefined;
    readonly minuteIds: readonly string[];
    readonly endId: string;
  },
): Promise<CountedRuns> {
  const parts: RunCountRow[][] = [];
  let total = 0;
  let at = minuteIds.length;
  let size = FEW_MINUTES;
  while (at > 0 && total < MAX_COUNTED) {
    const first = Math.max(0, at - size);
    const lows = minuteIds.slice(first, at);
    const bounds = [lows, [...lows.slice(1), minuteIds[at] ?? endId]];
    const { rows } =
      flowId === undefined
        ? await db.query(COUNT_RUNS([organizationId, ...bounds, OTHERS]))
        : await db.query(COUNT_RUNS_OF_FLOW([organizationId, ...bounds, runStatuses, flowId]));
    const counts = withCompleted(rows.map(({ place, ...row }) => ({ minute: first + place - 1, ...row })));
    const found = counts.reduce((sum, { count }) => sum + count, 0);
    parts.unshift(counts);
    total += found;
    at = first;
    if (found <= FEW_RUNS) size = Math.min(MANY_MINUTES, size * 2);
  }
  return { rows: parts.flat(), firstMinute: at };
}

const OTHERS = runStatuses.filter((status) => status !== "COMPLETED");

interface Counted extends Omit<RunCountRow, "status"> {
  /** NULL: of all. */
  readonly status: RunStatus | null;
}

function withCompleted(counted: readonly Counted[]): RunCountRow[] {
  const byMinute = Map.groupBy(counted, ({ minute }) => minute);
  return [...byMinute].flatMap(([minute, ofMinute]) => {
    const known = ofMinute.filter((row): row is RunCountRow => row.status !== null);
    const all = ofMinute.find(({ status }) => status === null)?.count;
    if (all === undefined) return known;
    const completed = known.reduce((left, { count }) => left - count, all);
    return completed > 0 ? [...known, { minute, status: "COMPLETED" as const, count: completed }] : known;
  });
}
