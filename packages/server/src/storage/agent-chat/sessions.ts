import { bigint, integer, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { LISTENS_TO_AGENTS } from "./agent-events.ts";

export interface NewSession {
  readonly organizationId: string;
  readonly id: string;
  readonly agentId: string;
  readonly externalId: string;
  readonly endUserId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly eventId: string;
}

const INSERT_SESSION = statement({
  text: `WITH made AS (
       INSERT INTO agent_sessions (organization_id, id, agent_id, external_id, end_user_id, session_key)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (organization_id, agent_id, session_key) WHERE session_key IS NOT NULL DO NOTHING
       RETURNING organization_id, id, agent_id, external_id, end_user_id, created_at
     ), told AS (
       INSERT INTO events (organization_id, id, type, data, created_at)
       SELECT m.organization_id, $7, 'agent.session_created', json_build_object('session', json_strip_nulls(json_build_object(
                'id', m.id, 'agentId', m.agent_id, 'externalId', m.external_id, 'endUserId', m.end_user_id, 'createdAt', iso(m.created_at)))), m.created_at
         FROM made m WHERE ${LISTENS_TO_AGENTS("m.organization_id")}
     )
     SELECT id FROM made`,
  columns: { id: text },
});

const FIND_SESSION_OF_KEY = statement({
  text: `SELECT id FROM agent_sessions WHERE organization_id = $1 AND agent_id = $2 AND session_key = $3`,
  columns: { id: text },
});

/**
 * The id of the new session, or of the one that already has this key. Whoever listens hears of a new one in the
 * same transaction.
 */
export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const { rows } = await db.query(
    INSERT_SESSION([
      session.organizationId,
      session.id,
      session.agentId,
      session.externalId,
      session.endUserId ?? null,
      session.sessionKey ?? null,
      session.eventId,
    ]),
  );
  if (rows[0]) return rows[0].id;
  const known = await db.query(
    FIND_SESSION_OF_KEY([session.organizationId, session.agentId, session.sessionKey]),
  );
  return known.rows[0]!.id;
}

const FIND_SESSION = statement({
  name: "find-session",
  text: `
SELECT s.last_seq AS "lastSeq", open.number AS "openTurn", open.first_seq AS "runningFrom",
       greatest(s.last_seq, (SELECT max(v.seq) FROM agent_stream_events v
                              WHERE v.organization_id = s.organization_id AND v.session_id = s.id)) AS "newestSeq"
  FROM agent_sessions s
  LEFT JOIN LATERAL (
    SELECT t.number, t.first_seq FROM agent_turns t
     WHERE t.organization_id = s.organization_id AND t.session_id = s.id AND t.status IN ('running', 'queued')
     ORDER BY t.number LIMIT 1) open ON true
 WHERE s.organization_id = $1 AND s.agent_id = $2 AND s.id = $3`,
  columns: {
    /** The last event of the last turn that has ended, and the last one there is. */
    lastSeq: bigint,
    newestSeq: bigint,
    /** The turn that is running or will run next. */
    openTurn: orNull(integer),
    /** The event before the first one of the running turn; NULL while none is running. */
    runningFrom: orNull(bigint),
  },
});

export type SessionState = Row<typeof FIND_SESSION>;

/** A session of this agent in this organization; any other is not found. */
export async function findSession(
  db: Db,
  organizationId: string,
  agentId: string,
  sessionId: string,
): Promise<SessionState | undefined> {
  const { rows } = await db.query(FIND_SESSION([organizationId, agentId, sessionId]));
  return rows[0];
}
