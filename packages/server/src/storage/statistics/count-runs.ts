import { runStatuses } from "@millrace/contract/run-status";
import { integer, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

export const MAX_COUNTED = 1_000_000;

/** PostgreSQL walks through a list of texts to find the place of one: with a day's minutes that would take longer than all else. */
const MINUTES_AT_ONCE = 60;

/** `place` of a minute in the list of their lowest ids, from 1. One walk along an index, newest first. */
const counting = (filter: string) =>
  statement({
    text: `SELECT width_bucket(id, $4::text[] COLLATE "C") AS place, status, count(*)::integer AS count, min(id) AS "oldestId"
       FROM (SELECT r.id, r.status FROM runs r
              WHERE r.organization_id = $1 AND r.id >= $2 AND r.id < $3 AND ${filter}
              ORDER BY r.id DESC LIMIT $6) AS counted
      GROUP BY place, status ORDER BY place`,
    columns: {
      place: orNull(integer),
      status: oneOf(...runStatuses),
      count: integer,
      oldestId: orNull(text),
    },
  });

const COUNT_RUNS = counting("$5::text IS NULL");
const COUNT_RUNS_OF_FLOW = counting("r.flow_id = $5");

export type RunCountRow = Row<typeof COUNT_RUNS>;

export async function countRuns(
  db: Db,
  {
    organizationId,
    flowId,
    lowestId,
    endId,
    minuteIds,
  }: {
    readonly organizationId: string;
    readonly flowId: string | undefined;
    readonly lowestId: string;
    readonly endId: string;
    /** The lowest id of each minute, in order. */
    readonly minuteIds: readonly string[];
  },
): Promise<RunCountRow[]> {
  const count = flowId === undefined ? COUNT_RUNS : COUNT_RUNS_OF_FLOW;
  const all: RunCountRow[] = [];
  let left = MAX_COUNTED;
  let end = endId;
  for (let at = minuteIds.length; at > 0 && left > 0; at -= MINUTES_AT_ONCE) {
    const before = Math.max(0, at - MINUTES_AT_ONCE);
    const some = minuteIds.slice(before, at);
    const low = before === 0 ? lowestId : some[0];
    const { rows } = await db.query(count([organizationId, low, end, some, flowId ?? null, left]));
    all.unshift(...rows.map((row) => ({ ...row, place: row.place! + before })));
    left -= rows.reduce((sum, row) => sum + row.count, 0);
    end = some[0]!;
  }
  return all;
}
