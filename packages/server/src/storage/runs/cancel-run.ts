import { auditedBy, type AuditNote, auditParameter } from "../audit/audited.ts";
import { assumed, orNull, timestamp, uuid } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { AFTER_ENDED, ENDED_IN_QUEUE, endedColumns, ENDING_COLUMNS } from "./ending.ts";

const ENDED = { columns: ENDING_COLUMNS, returned: endedColumns(), after: AFTER_ENDED };

function cancelStatement(condition: string, { columns, returned, after }: typeof ENDED) {
  return statement({
    text: `WITH target AS (
       SELECT r.organization_id, r.id, r.process_id FROM runs r
        WHERE r.organization_id = $1 AND r.id = $2 AND ${condition} FOR UPDATE
     ), ended AS (
       UPDATE runs r SET status = 'CANCELED', epoch = r.epoch + 1, finished_epoch = r.epoch + 1, ${columns}
         FROM target t
        WHERE r.organization_id = t.organization_id AND r.id = t.id AND ${condition}
       RETURNING ${returned}, t.process_id AS was_with
     ), ${auditedBy("$3", { action: "run.cancel", rows: "ended", target: "id" })}, ${after}
     SELECT completed_at AS "canceledAt", was_with AS "processId" FROM ended`,
    columns: {
      canceledAt: assumed(timestamp),
      /** The process that was executing it and has to be told. */
      processId: orNull(uuid),
    },
  });
}

const CANCEL_QUEUED = cancelStatement(
  `r.status = 'WAITING' AND r.stage = 'queued' AND r.answered_queued AND r.started_at IS NULL`,
  ENDED_IN_QUEUE,
);
const CANCEL = cancelStatement(`r.status IN ('WAITING', 'EXECUTING')`, ENDED);
const CANCEL_PAUSED = cancelStatement(`r.status IN ('WAITING', 'EXECUTING', 'PAUSED')`, ENDED);

export type Canceled = Row<typeof CANCEL>;

/**
 * Ends a run from outside. `onlyQueued` is the rule of the queue: the item must still be waiting there. `paused`: one
 * that is PAUSED too.
 * Undefined where the run is not in a state that can be left this way, or does not exist.
 */
export async function cancelRun(
  db: Db,
  organizationId: string,
  runId: string,
  { onlyQueued, paused = false, audit }: { onlyQueued: boolean; paused?: boolean; audit?: AuditNote },
): Promise<Canceled | undefined> {
  const cancel = onlyQueued ? CANCEL_QUEUED : paused ? CANCEL_PAUSED : CANCEL;
  const { rows } = await db.query(cancel([organizationId, runId, auditParameter(audit)]));
  return rows[0];
}
