import type { QueueItemRecord } from "../../domain/run-record.ts";
import { bigint, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { QUEUE_ITEM, toQueueItem } from "./queue-columns.ts";

const FIND_QUEUE_ITEM = statement({
  text: `SELECT ${QUEUE_ITEM.select},
            CASE WHEN status = 'WAITING' AND stage = 'queued' AND started_at IS NULL THEN 1 +
              (SELECT count(*) FROM runs before WHERE before.organization_id = $1 AND before.status = 'WAITING'
                  AND before.stage = 'queued' AND before.priority > item.priority) +
              (SELECT count(*) FROM runs before WHERE before.organization_id = $1 AND before.status = 'WAITING'
                  AND before.stage = 'queued' AND before.priority = item.priority AND before.id < item.id)
            END AS position
       FROM runs item
      WHERE organization_id = $1 AND id = $2 AND answered_queued AND NOT (status = 'CANCELED' AND started_at IS NULL)`,
  columns: { ...QUEUE_ITEM.columns, position: orNull(bigint) },
});

/** With its place in the line, 1 = next; one that was canceled before it began is gone. */
export async function findQueueItem(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<(QueueItemRecord & { readonly position: number | null }) | undefined> {
  const { rows } = await db.query(FIND_QUEUE_ITEM([organizationId, runId]));
  const row = rows[0];
  return row && { ...toQueueItem(row), position: row.position };
}
