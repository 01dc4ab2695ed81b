import type { Db } from "../pool.ts";
import { AFTER_ANSWERED, NOW } from "./ending.ts";

/** The answer to an approval: the node it was given to, or undefined where none waits (any more). The first one wins. */
export async function answerApproval(
  db: Db,
  {
    organizationId,
    runId,
    nodeKey,
    answer,
  }: { organizationId: string; runId: string; nodeKey?: string; answer: object },
): Promise<{ nodeKey: string; nodeId: string } | undefined> {
  const { rows } = await db.query(
    `WITH held AS (
       SELECT r.organization_id, r.id AS run_id, r.status, w.node_key FROM runs r
         JOIN run_waits w ON w.organization_id = r.organization_id AND w.run_id = r.id
        WHERE r.organization_id = $1 AND r.id = $2 AND w.kind = 'approval' AND w.answered_at IS NULL
          AND ($3::text IS NULL OR w.node_key = $3 OR w.node_id = $3) AND r.status IN ('PAUSED', 'WAITING', 'EXECUTING')
        ORDER BY w.created_at, w.node_key LIMIT 1 FOR UPDATE OF r, w
     ), answered AS (
       UPDATE run_waits w SET answer = $4, answered_at = ${NOW} FROM held h
        WHERE w.organization_id = h.organization_id AND w.run_id = h.run_id AND w.node_key = h.node_key AND w.answered_at IS NULL
       RETURNING w.organization_id, w.run_id, w.node_key, w.node_id
     ), ${AFTER_ANSWERED}
     SELECT node_key AS "nodeKey", node_id AS "nodeId" FROM answered`,
    [organizationId, runId, nodeKey ?? null, JSON.stringify(answer)],
  );
  return rows[0];
}

/** Waits whose time has come, and approvals that nobody answered. What somebody else is writing is left for the next round. */
export async function answerDueWaits(db: Db): Promise<string[]> {
  const { rows } = await db.query(
    `WITH held AS (
       SELECT r.organization_id, r.id AS run_id, r.status, w.node_key FROM run_waits w
         JOIN runs r ON r.organization_id = w.organization_id AND r.id = w.run_id
        WHERE w.answered_at IS NULL AND w.due_at <= ${NOW} ORDER BY w.due_at LIMIT 500 FOR UPDATE OF r, w SKIP LOCKED
     ), answered AS (
       UPDATE run_waits w SET answered_at = ${NOW},
              answer = CASE w.kind WHEN 'wait' THEN json_build_object('waitedUntil', iso(w.due_at)) ELSE json_build_object('decision', 'timeout') END
         FROM held h WHERE w.organization_id = h.organization_id AND w.run_id = h.run_id AND w.node_key = h.node_key
       RETURNING w.organization_id, w.run_id, w.node_key, w.node_id
     ), ${AFTER_ANSWERED}
     SELECT DISTINCT organization_id FROM resumed`,
  );
  return rows.map(({ organization_id }) => organization_id);
}
