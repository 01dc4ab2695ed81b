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
    `WITH open AS (
       SELECT w.organization_id, w.run_id, w.node_key FROM run_waits w
         JOIN runs r ON r.organization_id = w.organization_id AND r.id = w.run_id
        WHERE w.organization_id = $1 AND w.run_id = $2 AND w.kind = 'approval' AND w.answered_at IS NULL
          AND ($3::text IS NULL OR w.node_key = $3 OR w.node_id = $3) AND r.status IN ('PAUSED', 'WAITING', 'EXECUTING')
        ORDER BY w.created_at, w.node_key LIMIT 1 FOR UPDATE OF w
     ), answered AS (
       UPDATE run_waits w SET answer = $4, answered_at = ${NOW} FROM open o
        WHERE w.organization_id = o.organization_id AND w.run_id = o.run_id AND w.node_key = o.node_key AND w.answered_at IS NULL
       RETURNING w.organization_id, w.run_id, w.node_key, w.node_id
     ), ${AFTER_ANSWERED}
     SELECT node_key AS "nodeKey", node_id AS "nodeId" FROM answered`,
    [organizationId, runId, nodeKey ?? null, JSON.stringify(answer)],
  );
  return rows[0];
}

/** Waits whose time has come, approvals that nobody answered, and answers that met a run on its way into PAUSED. */
export async function answerDueWaits(db: Db): Promise<string[]> {
  const { rows } = await db.query(
    `WITH due AS (
       SELECT organization_id, run_id, node_key FROM run_waits
        WHERE answered_at IS NULL AND due_at <= ${NOW} ORDER BY due_at LIMIT 500 FOR UPDATE SKIP LOCKED
     ), answered AS (
       UPDATE run_waits w SET answered_at = ${NOW},
              answer = CASE w.kind WHEN 'wait' THEN json_build_object('waitedUntil', iso(w.due_at)) ELSE json_build_object('decision', 'timeout') END
         FROM due d WHERE w.organization_id = d.organization_id AND w.run_id = d.run_id AND w.node_key = d.node_key
       RETURNING w.organization_id, w.run_id, w.node_key, w.node_id
     ), ${AFTER_ANSWERED}
     SELECT DISTINCT organization_id FROM resumed`,
  );
  return rows.map(({ organization_id }) => organization_id);
}
