import type { SharedRoom } from "../../domain/fair-share.ts";
import type { SessionRef, TurnRef } from "../../domain/agent/chat.ts";
import { assumed, bigint, integer, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface ClaimedTurn extends TurnRef {
  readonly firstSeq: number;
  readonly message: string;
}

const CLAIM_TURN = statement({
  name: "claim-turn",
  text: `SELECT number, first_seq AS "firstSeq", user_text AS message FROM claim_chat_turn($1)`,
  columns: { number: assumed(integer), firstSeq: assumed(bigint), message: assumed(text) },
});

/** The next waiting message of a session, where nobody answers one already. */
export async function claimTurn(
  db: Db,
  { organizationId, sessionId }: SessionRef,
  processId: string,
  leaseMs: number,
): Promise<ClaimedTurn | undefined> {
  const { rows } = await db.query(
    CLAIM_TURN([
      { organization_id: organizationId, session_id: sessionId, process_id: processId, lease_ms: leaseMs },
    ]),
  );
  return rows[0] && { organizationId, sessionId, ...rows[0] };
}

const FIND_IDLE_SESSIONS = statement({
  name: "find-idle-sessions",
  text: `
WITH RECURSIVE waiting AS (
  (SELECT organization_id FROM agent_turns WHERE status = 'queued' ORDER BY organization_id, session_id, number LIMIT 1)
  UNION ALL
  SELECT (SELECT q.organization_id FROM agent_turns q WHERE q.status = 'queued' AND q.organization_id > waiting.organization_id
           ORDER BY q.organization_id, q.session_id, q.number LIMIT 1)
    FROM waiting WHERE waiting.organization_id IS NOT NULL
)
SELECT w.organization_id AS "organizationId", s.session_id AS "sessionId"
  FROM waiting w
  LEFT JOIN unnest($3::text[], $4::integer[]) AS h(organization_id, room) ON h.organization_id = w.organization_id
 CROSS JOIN LATERAL (
   SELECT i.session_id, row_number() OVER () AS nth FROM (
     SELECT DISTINCT q.session_id FROM agent_turns q
      WHERE q.organization_id = w.organization_id AND q.status = 'queued'
        AND NOT EXISTS (SELECT FROM agent_turns r
                         WHERE r.organization_id = q.organization_id AND r.session_id = q.session_id AND r.status = 'running')
      ORDER BY q.session_id LIMIT least($1, coalesce(h.room, $2))
   ) AS i
 ) AS s
 ORDER BY s.nth, random() LIMIT $1`,
  columns: { organizationId: assumed(text), sessionId: text },
});

/**
 * Sessions where messages wait and nobody answers, of organizations that have room, in turn: their process stopped, was
 * lost, or had no place for them. A walk from one organization to the next along the index, not over all that wait.
 */
export async function findIdleSessions(db: Db, limit: number, room: SharedRoom): Promise<SessionRef[]> {
  const { rows } = await db.query(
    FIND_IDLE_SESSIONS([limit, room.newcomer, room.organizationIds, room.rooms]),
  );
  return rows;
}
