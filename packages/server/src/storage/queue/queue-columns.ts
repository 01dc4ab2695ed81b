import { idTimeMs } from "../../domain/ids.ts";
import type { QueueItemRecord } from "../../domain/run-record.ts";
import { oneOf, text, timestamp } from "../columns.ts";

/** A run that begins late is a queue item until it starts, and stays findable as one afterwards. */
export const QUEUE_ITEM = {
  select: `id, organization_id AS "organizationId", flow_id AS "flowId",
  CASE WHEN started_at IS NOT NULL OR status <> 'WAITING' THEN 'dispatched'
       WHEN stage = 'admitted' THEN 'dispatching' ELSE 'waiting' END AS status,
  updated_at AS "updatedAt"`,
  columns: {
    id: text,
    organizationId: text,
    flowId: text,
    status: oneOf("waiting", "dispatching", "dispatched"),
    updatedAt: timestamp,
  },
};

export function toQueueItem(row: Omit<QueueItemRecord, "createdAt">): QueueItemRecord {
  return { ...row, createdAt: new Date(idTimeMs(row.id)) };
}
