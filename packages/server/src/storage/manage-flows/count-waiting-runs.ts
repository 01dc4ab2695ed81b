import { bigint } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const COUNT_WAITING_RUNS = statement({
  text: `SELECT count(*) FILTER (WHERE status = 'EXECUTING') AS executing,
            count(*) FILTER (WHERE status = 'WAITING' AND stage <> 'delayed') AS queued,
            count(*) FILTER (WHERE status = 'WAITING' AND stage = 'delayed') AS delayed,
            count(*) FILTER (WHERE status = 'PAUSED') AS paused
       FROM runs WHERE organization_id = $1 AND flow_id = $2 AND status IN ('WAITING', 'EXECUTING', 'PAUSED')`,
  columns: { executing: bigint, queued: bigint, delayed: bigint, paused: bigint },
});

export type WaitingRuns = Row<typeof COUNT_WAITING_RUNS>;

/** The runs of a flow that have not ended. */
export async function countWaitingRuns(db: Db, organizationId: string, flowId: string): Promise<WaitingRuns> {
  const { rows } = await db.query(COUNT_WAITING_RUNS([organizationId, flowId]));
  return rows[0]!;
}
