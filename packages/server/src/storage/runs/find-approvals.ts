import { json, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import type { ApprovalDetails } from "./begin-waits.ts";

const MAX_APPROVALS = 1_000;

const FIND_APPROVALS = statement({
  text: `SELECT w.node_key AS "nodeKey", w.node_id AS "nodeId", w.message, w.details, w.created_at AS "askedAt", w.due_at AS "dueAt"
       FROM runs r JOIN run_waits w ON w.organization_id = r.organization_id AND w.run_id = r.id
      WHERE r.organization_id = $1 AND r.id = $2 AND w.kind = 'approval' AND w.answered_at IS NULL
        AND r.status IN ('PAUSED', 'WAITING', 'EXECUTING')
      ORDER BY w.created_at, w.node_key LIMIT ${MAX_APPROVALS}`,
  columns: {
    nodeKey: text,
    nodeId: text,
    message: orNull(text),
    details: orNull(json<ApprovalDetails>()),
    askedAt: timestamp,
    dueAt: orNull(timestamp),
  },
});

export type PendingApproval = Row<typeof FIND_APPROVALS>;

/** What a run asks people right now. */
export async function findApprovals(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<PendingApproval[]> {
  const { rows } = await db.query(FIND_APPROVALS([organizationId, runId]));
  return rows;
}
