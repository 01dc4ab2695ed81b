import { type RunStatus, runStatuses } from "@millrace/contract/run-status";
import { AFTER_ENDED, endedColumns, ENDING_COLUMNS } from "../runs/ending.ts";
import { boolean, oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const CANCEL_RUNS = statement({
  text: `WITH target AS (
         SELECT r.organization_id, r.id FROM runs r
          WHERE r.organization_id = $1 AND r.id = ANY ($2) AND r.status IN ('WAITING', 'EXECUTING', 'PAUSED') ORDER BY 1, 2 FOR UPDATE
       ), ended AS (
         UPDATE runs r SET status = 'CANCELED', epoch = r.epoch + 1, finished_epoch = r.epoch + 1, ${ENDING_COLUMNS}
           FROM target t WHERE r.organization_id = t.organization_id AND r.id = t.id
         RETURNING ${endedColumns()}
       ), ${AFTER_ENDED}
       SELECT r.id, r.status, e.id IS NOT NULL AS "isCanceled"
         FROM runs r LEFT JOIN ended e ON e.id = r.id WHERE r.organization_id = $1 AND r.id = ANY ($2)`,
  columns: { id: text, status: oneOf(...runStatuses), isCanceled: boolean },
});

export interface CanceledRun {
  readonly id: string;
  readonly isCanceled: boolean;
  /** As it was before. */
  readonly status: RunStatus;
}

/** Ends whatever of these runs has not ended, paused ones too; what is not among the answers does not exist. */
export async function cancelRuns(
  db: Db,
  organizationId: string,
  runIds: readonly string[],
): Promise<CanceledRun[]> {
  const { rows } = await db.query(CANCEL_RUNS([organizationId, runIds]));
  return rows;
}
