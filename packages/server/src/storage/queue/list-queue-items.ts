import type { PageRequest } from "../../domain/cursor.ts";
import type { QueueItemRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { QUEUE_COLUMNS, type QueueRow, toQueueItem } from "./queue-columns.ts";

/**
 * Oldest first, one row more than the page. Each stage has an index of its own that holds nothing else;
 * a run that was answered 202 and has not begun always has priority 0, so both walk in the order of ids.
 */
export async function listQueueItems(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<QueueItemRecord[]> {
  const position = page.after ?? page.before;
  const parameters: unknown[] = [organizationId, page.size + 1];
  if (position) parameters.push(position.id);
  const direction = page.before ? "DESC" : "ASC";
  const branch = (stage: string) =>
    `(SELECT ${QUEUE_COLUMNS} FROM runs
       WHERE organization_id = $1 AND status = 'WAITING' AND stage = '${stage}' AND priority = 0
         AND answered_queued AND started_at IS NULL ${position ? `AND id ${page.before ? "<" : ">"} $3` : ""}
       ORDER BY id ${direction} LIMIT $2)`;
  const { rows } = await db.query<QueueRow>(
    `${branch("queued")} UNION ALL ${branch("admitted")} ORDER BY id ${direction} LIMIT $2`,
    parameters,
  );
  return rows.map(toQueueItem);
}
