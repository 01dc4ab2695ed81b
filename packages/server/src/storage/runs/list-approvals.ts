import type { PageRequest } from "../../domain/cursor.ts";
import { assumed, json, orNull, text, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import type { RowOf } from "../statement.ts";
import type { ApprovalDetails } from "./begin-waits.ts";

const columns = {
  /** A name of run and node together that a cursor can hold. */
  id: assumed(text),
  runId: text,
  flowId: text,
  flowName: text,
  nodeKey: text,
  nodeId: text,
  message: orNull(text),
  details: orNull(json<ApprovalDetails>()),
  dueAt: orNull(timestamp),
  createdAt: timestamp,
  created_at: timestamp,
};

export type ListedApproval = RowOf<typeof columns>;

/** A cursor knows milliseconds, so the list does too. */
const LIST_APPROVALS = keysetList({
  text: `SELECT * FROM (
       SELECT md5(w.run_id || ' ' || w.node_key) AS id, w.run_id AS "runId", r.flow_id AS "flowId", f.name AS "flowName",
              w.node_key AS "nodeKey", w.node_id AS "nodeId", w.message, w.details, w.due_at AS "dueAt",
              date_trunc('milliseconds', w.created_at) AS "createdAt", date_trunc('milliseconds', w.created_at) AS created_at
         FROM run_waits w
         JOIN runs r ON r.organization_id = w.organization_id AND r.id = w.run_id AND r.status IN ('PAUSED', 'WAITING', 'EXECUTING')
         JOIN flows f ON f.organization_id = r.organization_id AND f.id = r.flow_id
        WHERE w.organization_id = $1 AND w.kind = 'approval' AND w.answered_at IS NULL
     ) AS listed WHERE true`,
  columns,
});

/** What runs of an organization ask people right now, the newest question first. */
export async function listApprovals(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<ListedApproval[]> {
  const { rows } = await db.query(LIST_APPROVALS(organizationId, page));
  return rows;
}
