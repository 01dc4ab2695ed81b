import { auditedBy, type AuditNote, auditParameter } from "../audit/audited.ts";
import { json, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { AFTER_ANSWERED, NOW } from "./ending.ts";

export interface Approval {
  readonly nodeKey: string;
  readonly nodeId: string;
}

export interface ApprovalAnswer {
  readonly organizationId: string;
  readonly runId: string;
  /** The key of the node; its id, or nothing, where that can mean only one. */
  readonly name?: string;
  readonly answer: object;
  readonly audit?: AuditNote | undefined;
}

const ANSWER_APPROVAL = statement({
  text: `WITH pending AS MATERIALIZED (
       SELECT w.node_key, w.node_id, w.attempt, w.created_at, coalesce(w.node_key = $3, false) AS is_named
         FROM runs r JOIN run_waits w ON w.organization_id = r.organization_id AND w.run_id = r.id
        WHERE r.organization_id = $1 AND r.id = $2 AND w.kind = 'approval' AND w.answered_at IS NULL
          AND r.status IN ('PAUSED', 'WAITING', 'EXECUTING')
     ), meant AS (
       SELECT * FROM pending p
        WHERE $3::text IS NULL OR p.is_named OR (p.node_id = $3 AND NOT EXISTS (SELECT FROM pending WHERE is_named))
     ), clear AS (
       SELECT * FROM meant m
        WHERE (SELECT count(*) FROM meant) = 1 AND (m.is_named OR NOT EXISTS (
          SELECT FROM run_waits u WHERE u.organization_id = $1 AND u.run_id = $2 AND u.answered_unnamed))
     ), held AS (
       SELECT r.organization_id, r.id AS run_id, r.status, w.node_key, w.attempt, c.is_named
         FROM clear c JOIN runs r ON r.organization_id = $1 AND r.id = $2
         JOIN run_waits w ON w.organization_id = r.organization_id AND w.run_id = r.id AND w.node_key = c.node_key AND w.attempt = c.attempt
        WHERE w.answered_at IS NULL AND r.status IN ('PAUSED', 'WAITING', 'EXECUTING') FOR UPDATE OF r, w
     ), answered AS (
       UPDATE run_waits w SET answer = $4, answered_at = ${NOW}, answered_unnamed = NOT h.is_named FROM held h
        WHERE w.organization_id = h.organization_id AND w.run_id = h.run_id AND w.node_key = h.node_key AND w.attempt = h.attempt
          AND w.answered_at IS NULL
       RETURNING w.organization_id, w.run_id, w.node_key, w.node_id
     ), ${auditedBy("$5", {
       action: "run.answer",
       rows: "answered",
       target: "run_id",
       after: `json_build_object('nodeKey', n.node_key, 'decision', $4::json->>'decision')`,
     })}, ${AFTER_ANSWERED}
     SELECT (SELECT json_build_object('nodeKey', node_key, 'nodeId', node_id) FROM answered) AS answered,
            (SELECT coalesce(json_agg(json_build_object('nodeKey', node_key, 'nodeId', node_id) ORDER BY created_at, node_key), '[]')
               FROM pending) AS pending`,
  columns: { answered: orNull(json<Approval>()), pending: json<readonly Approval[]>() },
});

/**
 * The answer to an approval: the one it was given to, or undefined where none was meant beyond doubt. The first one wins.
 * Somebody who does not say which one is meant is heard once: sent twice, the answer must not decide what is asked next.
 */
export async function answerApproval(
  db: Db,
  { organizationId, runId, name, answer, audit }: ApprovalAnswer,
): Promise<Row<typeof ANSWER_APPROVAL>> {
  const { rows } = await db.query(
    ANSWER_APPROVAL([organizationId, runId, name ?? null, JSON.stringify(answer), auditParameter(audit)]),
  );
  return rows[0]!;
}

const ANSWER_DUE_WAITS = statement({
  text: `WITH held AS (
       SELECT r.organization_id, r.id AS run_id, r.status, w.node_key, w.attempt FROM run_waits w
         JOIN runs r ON r.organization_id = w.organization_id AND r.id = w.run_id
        WHERE w.answered_at IS NULL AND w.due_at <= ${NOW} ORDER BY w.due_at LIMIT 500 FOR UPDATE OF r, w SKIP LOCKED
     ), answered AS (
       UPDATE run_waits w SET answered_at = ${NOW},
              answer = CASE WHEN w.expires_at <= w.due_at THEN json_build_object('timedOut', true)
                            WHEN w.kind = 'wait' THEN json_build_object('waitedUntil', iso(w.due_at))
                            ELSE json_build_object('decision', 'timeout') END
         FROM held h WHERE w.organization_id = h.organization_id AND w.run_id = h.run_id AND w.node_key = h.node_key AND w.attempt = h.attempt
       RETURNING w.organization_id, w.run_id, w.child_run_id
     ), given_up AS (
       INSERT INTO run_cancellations (organization_id, run_id)
       SELECT a.organization_id, a.child_run_id FROM answered a JOIN held h USING (organization_id, run_id)
        WHERE a.child_run_id IS NOT NULL AND h.status IN ('PAUSED', 'WAITING', 'EXECUTING') ON CONFLICT DO NOTHING
     ), ${AFTER_ANSWERED}
     SELECT DISTINCT organization_id FROM resumed`,
  columns: { organization_id: text },
});

/**
 * Waits whose time has come, approvals that nobody answered, and nodes whose own limit of time is reached. What somebody
 * else is writing is left for the next round.
 */
export async function answerDueWaits(db: Db): Promise<string[]> {
  const { rows } = await db.query(ANSWER_DUE_WAITS());
  return rows.map(({ organization_id }) => organization_id);
}
