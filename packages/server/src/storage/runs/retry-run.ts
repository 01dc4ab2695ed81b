import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { textArray } from "../text-array.ts";
import { LISTENS, NOW, runEvent } from "./ending.ts";
import { recordText, type RecordToStore, UPDATE_OPEN_RECORD } from "./record-text.ts";

export interface Retry {
  readonly organizationId: string;
  readonly id: string;
  readonly epoch: number;
  readonly delayMs: number;
  /** Nodes that ended well, or whose failure was handled, are not run again. */
  readonly records: readonly RecordToStore[];
}

const RETRY_RUN = statement({
  text: `WITH again AS (
       UPDATE runs r SET
         status = 'WAITING', stage = 'delayed', due_at = ${NOW} + $4 * interval '1 millisecond', epoch = r.epoch + 1,
         attempt = r.attempt + 1, priority = 1, process_id = NULL, deadline_at = NULL, updated_at = ${NOW},
         active_ms = r.active_ms + greatest(0, extract(epoch FROM ${NOW} - r.claimed_at) * 1000)::bigint,
         event_seq = r.event_seq + (${LISTENS})::integer
       WHERE r.organization_id = $1 AND r.id = $2 AND r.epoch = $3 AND r.status = 'EXECUTING' AND r.attempt < r.max_attempts
       RETURNING r.organization_id, r.id, ${LISTENS} AS listens, ${runEvent("'run.retrying'")} AS event
     ), kept AS (
       INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
       SELECT a.organization_id, a.id, n.node_key, $3, n.record::json
         FROM again a CROSS JOIN unnest($5::text[], $6::text[]) AS n(node_key, record)
       ${UPDATE_OPEN_RECORD}
     ), forgotten AS (
       -- What was answered is in the records; what failed is asked again.
       DELETE FROM run_waits w USING again a
        WHERE w.organization_id = a.organization_id AND w.run_id = a.id AND w.answered_at IS NOT NULL
     ), told AS (
       INSERT INTO event_batches (organization_id, created_at, run_events)
       SELECT a.organization_id, ${NOW}, ARRAY[a.event] FROM again a WHERE a.listens
     )
     SELECT FROM again`,
});

/** Puts a failed run back for another attempt, if it has one left: true. The slot is free until it is due. */
export async function retryRun(
  db: Db,
  { organizationId, id, epoch, delayMs, records }: Retry,
): Promise<boolean> {
  const { rows } = await db.query(
    RETRY_RUN([
      organizationId,
      id,
      epoch,
      delayMs,
      records.map(({ nodeKey }) => nodeKey),
      textArray(records.map(recordText)),
    ]),
  );
  return rows.length === 1;
}
