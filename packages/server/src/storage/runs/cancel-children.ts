import { boolean, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { AFTER_ENDED, endedColumns, ENDING_COLUMNS } from "./ending.ts";

const PAGE = 200;
/** Flows call each other at most so deep, and a bit more. */
const MAX_ROUNDS = 100;

const CANCEL_CHILDREN = statement({
  text: `WITH noted AS (
         SELECT c.organization_id, c.run_id FROM run_cancellations c ORDER BY 1, 2 LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
       ), target AS (
         SELECT r.organization_id, r.id FROM noted n JOIN runs r ON r.organization_id = n.organization_id AND r.id = n.run_id
          WHERE r.status IN ('WAITING', 'EXECUTING', 'PAUSED') ORDER BY 1, 2 FOR UPDATE OF r
       ), ended AS (
         UPDATE runs r SET status = 'CANCELED', epoch = r.epoch + 1, finished_epoch = r.epoch + 1, ${ENDING_COLUMNS}
           FROM target t WHERE r.organization_id = t.organization_id AND r.id = t.id
         RETURNING ${endedColumns()}
       ), done AS (
         DELETE FROM run_cancellations c USING noted n WHERE c.organization_id = n.organization_id AND c.run_id = n.run_id
       ), ${AFTER_ENDED}
       SELECT n.organization_id AS "organizationId", n.run_id AS id, e.id IS NOT NULL AS "isCanceled"
         FROM noted n LEFT JOIN ended e ON e.organization_id = n.organization_id AND e.id = n.run_id`,
  columns: { organizationId: text, id: text, isCanceled: boolean },
});

interface CanceledChild {
  readonly organizationId: string;
  readonly id: string;
  readonly status: "CANCELED";
}

/**
 * Cancels runs that nobody waits for any more: whoever ended their parent, or gave up waiting, has noted them in the
 * same statement. Each takes its own children with it, in the next round. What somebody else is writing is left for later.
 */
export async function cancelChildren(db: Db): Promise<CanceledChild[]> {
  const canceled: CanceledChild[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { rows } = await db.query(CANCEL_CHILDREN());
    if (rows.length === 0) break;
    for (const { organizationId, id, isCanceled } of rows)
      if (isCanceled) canceled.push({ organizationId, id, status: "CANCELED" });
  }
  return canceled;
}
