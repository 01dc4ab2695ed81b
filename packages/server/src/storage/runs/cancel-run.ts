import type { Db } from "../pool.ts";
import { AFTER_ENDED, ENDED_IN_QUEUE, endedColumns, ENDING_COLUMNS } from "./ending.ts";

export interface Canceled {
  readonly canceledAt: Date;
  /** The process that was executing it and has to be told. */
  readonly processId: string | null;
}

const ENDED = { columns: ENDING_COLUMNS, returned: endedColumns(), after: AFTER_ENDED };

/**
 * Ends a run from outside. `onlyQueued` is the rule of the queue: the item must still be waiting there. `paused`: one
 * that is PAUSED too.
 * Undefined where the run is not in a state that can be left this way, or does not exist.
 */
export async function cancelRun(
  db: Db,
  organizationId: string,
  runId: string,
  { onlyQueued, paused = false }: { onlyQueued: boolean; paused?: boolean },
): Promise<Canceled | undefined> {
  const condition = onlyQueued
    ? `r.status = 'WAITING' AND r.stage = 'queued' AND r.answered_queued AND r.started_at IS NULL`
    : `r.status IN ('WAITING', 'EXECUTING'${paused ? ", 'PAUSED'" : ""})`;
  const { columns, returned, after } = onlyQueued ? ENDED_IN_QUEUE : ENDED;
  const { rows } = await db.query(
    `WITH target AS (
       SELECT r.organization_id, r.id, r.process_id FROM runs r
        WHERE r.organization_id = $1 AND r.id = $2 AND ${condition} FOR UPDATE
     ), ended AS (
       UPDATE runs r SET status = 'CANCELED', epoch = r.epoch + 1, finished_epoch = r.epoch + 1, ${columns}
         FROM target t
        WHERE r.organization_id = t.organization_id AND r.id = t.id AND ${condition}
       RETURNING ${returned}, t.process_id AS was_with
     ), ${after}
     SELECT completed_at AS "canceledAt", was_with AS "processId" FROM ended`,
    [organizationId, runId],
  );
  return rows[0];
}
