import { runStatuses } from "@millrace/contract/run-status";
import { boolean, oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_RUN_STATE = statement({
  text: `SELECT flow_id AS "flowId", status, answered_queued AS "answeredQueued",
            answered_queued AND status = 'WAITING' AND started_at IS NULL AS "inQueue"
       FROM runs WHERE organization_id = $1 AND id = $2`,
  columns: {
    flowId: text,
    status: oneOf(...runStatuses),
    answeredQueued: boolean,
    /** Still a queue item and not yet a run. */
    inQueue: boolean,
  },
});

export type RunState = Row<typeof FIND_RUN_STATE>;

export async function findRunState(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<RunState | undefined> {
  const { rows } = await db.query(FIND_RUN_STATE([organizationId, runId]));
  return rows[0];
}
