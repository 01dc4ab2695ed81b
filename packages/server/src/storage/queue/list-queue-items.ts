import type { PageRequest } from "../../domain/cursor.ts";
import type { QueueItemRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { QUEUE_ITEM, toQueueItem } from "./queue-columns.ts";

/**
 * Each stage has an index of its own that holds nothing else; a run that was answered 202 and has not begun always
 * has priority 0, so both walk in the order of ids.
 */
function listStatement(beyondCursor: string, direction: "ASC" | "DESC") {
  const branch = (stage: string) =>
    `(SELECT ${QUEUE_ITEM.select} FROM runs
       WHERE organization_id = $1 AND status = 'WAITING' AND stage = '${stage}' AND priority = 0
         AND answered_queued AND started_at IS NULL ${beyondCursor}
       ORDER BY id ${direction} LIMIT $2)`;
  return statement({
    text: `${branch("queued")} UNION ALL ${branch("admitted")} ORDER BY id ${direction} LIMIT $2`,
    columns: QUEUE_ITEM.columns,
  });
}

const LIST_FIRST = listStatement("", "ASC");
const LIST_AFTER = listStatement("AND id > $3", "ASC");
const LIST_BEFORE = listStatement("AND id < $3", "DESC");

/** Oldest first, one row more than the page. */
export async function listQueueItems(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<QueueItemRecord[]> {
  const position = page.after ?? page.before;
  const list = page.before ? LIST_BEFORE : LIST_AFTER;
  const { rows } = await db.query(
    position
      ? list([organizationId, page.size + 1, position.id])
      : LIST_FIRST([organizationId, page.size + 1]),
  );
  return rows.map(toQueueItem);
}
