import { runStatuses } from "@millrace/contract/run-status";
import { integer, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

export const MAX_COUNTED = 1_000_000;

/** `place` of a minute in the list of their lowest ids, from 1. One walk along an index, newest first. */
const counting = (filter: string) =>
  statement({
    text: `SELECT width_bucket(id, $4::text[] COLLATE "C") AS place, status, count(*)::integer AS count, min(id) AS "oldestId"
       FROM (SELECT r.id, r.status FROM runs r
              WHERE r.organization_id = $1 AND r.id >= $2 AND r.id < $3 AND ${filter}
              ORDER BY r.id DESC LIMIT ${MAX_COUNTED}) AS counted
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
  const { rows } = await db.query(count([organizationId, lowestId, endId, minuteIds, flowId ?? null]));
  return rows;
}
