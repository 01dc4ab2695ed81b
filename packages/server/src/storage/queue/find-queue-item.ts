import type { QueueItemRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { QUEUE_COLUMNS, type QueueRow, toQueueItem } from "./queue-columns.ts";

/** With its place in the line, 1 = next; one that was canceled before it began is gone. */
export async function findQueueItem(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<(QueueItemRecord & { readonly position: number | null }) | undefined> {
  const { rows } = await db.query<QueueRow & { position: number | null }>(
    `SELECT ${QUEUE_COLUMNS},
            CASE WHEN status = 'WAITING' AND stage = 'queued' AND started_at IS NULL THEN 1 +
              (SELECT count(*) FROM runs before WHERE before.organization_id = $1 AND before.status = 'WAITING'
                  AND before.stage = 'queued' AND before.priority > item.priority) +
              (SELECT count(*) FROM runs before WHERE before.organization_id = $1 AND before.status = 'WAITING'
                  AND before.stage = 'queued' AND before.priority = item.priority AND before.id < item.id)
            END AS position
       FROM runs item
      WHERE organization_id = $1 AND id = $2 AND answered_queued AND NOT (status = 'CANCELED' AND started_at IS NULL)`,
    [organizationId, runId],
  );
  const row = rows[0];
  return row && { ...toQueueItem(row), position: row.position };
}
