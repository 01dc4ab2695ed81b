import { INTERRUPTED, type TurnRef } from "../../domain/agent/chat.ts";
import { bigint, integer, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { LISTENS_TO_AGENTS, MESSAGE_EVENT_JSON } from "./agent-events.ts";

const RENEW_LEASES = statement({
  name: "renew-leases",
  text: `
UPDATE agent_turns t SET lease_until = millrace_now() + make_interval(secs => $2 / 1000.0)
  FROM unnest($3::text[], $4::text[], $5::integer[]) AS r(organization_id, session_id, number)
 WHERE t.organization_id = r.organization_id AND t.session_id = r.session_id AND t.number = r.number
   AND t.process_id = $1 AND t.status = 'running'
RETURNING t.organization_id AS "organizationId", t.session_id AS "sessionId", t.number`,
  columns: { organizationId: text, sessionId: text, number: integer },
});

/** Says that this process still works on these turns, and hears which ones are still its own. */
export async function renewLeases(
  db: Db,
  processId: string,
  leaseMs: number,
  turns: readonly TurnRef[],
): Promise<TurnRef[]> {
  const { rows } = await db.query(
    RENEW_LEASES([
      processId,
      leaseMs,
      turns.map(({ organizationId }) => organizationId),
      turns.map(({ sessionId }) => sessionId),
      turns.map(({ number }) => number),
    ]),
  );
  return rows;
}

const END_LOST_TURN = statement({
  name: "end-lost-turn",
  text: `
WITH lost AS (
  SELECT t.organization_id, t.session_id, t.number, t.first_seq,
         (SELECT coalesce(max(v.seq), t.first_seq) FROM agent_stream_events v
           WHERE v.organization_id = t.organization_id AND v.session_id = t.session_id AND v.turn = t.number AND v.seq > t.first_seq) AS seq,
         (SELECT coalesce(string_agg(v.payload, '' ORDER BY v.seq), '') FROM agent_stream_events v
           WHERE v.organization_id = t.organization_id AND v.session_id = t.session_id AND v.turn = t.number AND v.seq > t.first_seq) AS said
    FROM agent_turns t WHERE t.status = 'running' AND t.lease_until < millrace_now()
   LIMIT 1 FOR UPDATE SKIP LOCKED
), ended AS (
  UPDATE agent_turns t SET status = 'failed', error_code = '${INTERRUPTED}', reply_text = l.said, last_seq = l.seq + 1, ended_at = millrace_now(),
         history_size = t.history_size + length(l.said),
         model_messages = CASE WHEN l.said <> '' THEN
           json_build_array(json_build_object('role', 'assistant', 'content', json_build_array(json_build_object('type', 'text', 'text', l.said)))) END
    FROM lost l WHERE t.organization_id = l.organization_id AND t.session_id = l.session_id AND t.number = l.number
  RETURNING t.*
), said AS (
  INSERT INTO agent_stream_events (organization_id, session_id, seq, turn, type, payload)
  SELECT organization_id, session_id, last_seq, number, 'error', error_code FROM ended
), counted AS (
  UPDATE agent_sessions s SET last_seq = e.last_seq, last_activity_at = e.ended_at
    FROM ended e WHERE s.organization_id = e.organization_id AND s.id = e.session_id
), told AS (
  INSERT INTO events (organization_id, id, type, data, created_at)
  SELECT e.organization_id, $1, 'agent.message_failed', ${MESSAGE_EVENT_JSON}, e.ended_at
    FROM ended e JOIN agent_sessions s ON s.organization_id = e.organization_id AND s.id = e.session_id
   WHERE ${LISTENS_TO_AGENTS("e.organization_id")}
)
SELECT organization_id AS "organizationId", session_id AS "sessionId", number FROM ended`,
  columns: { organizationId: text, sessionId: text, number: integer },
});

/**
 * Ends the reply of a process that is gone with one honest `error`. No second try: the client already holds half of
 * another answer. What had been said stays, and the next message can begin. Undefined where there is none.
 */
export async function endLostTurn(db: Db, eventId: string): Promise<TurnRef | undefined> {
  const { rows } = await db.query(END_LOST_TURN([eventId]));
  return rows[0];
}

const DELETE_PAGE = 200;

const DELETE_OLD_DELTAS = statement({
  text: `WITH old AS (
       SELECT organization_id, session_id, number FROM agent_turns
        WHERE ended_at < millrace_now() - make_interval(hours => $1) AND NOT deltas_deleted
        ORDER BY ended_at LIMIT ${DELETE_PAGE} FOR UPDATE SKIP LOCKED
     ), marked AS (
       UPDATE agent_turns t SET deltas_deleted = true FROM old o
        WHERE t.organization_id = o.organization_id AND t.session_id = o.session_id AND t.number = o.number
       RETURNING t.organization_id, t.session_id, t.first_seq, t.last_seq
     ), deleted AS (
       DELETE FROM agent_stream_events v USING marked m
        WHERE v.organization_id = m.organization_id AND v.session_id = m.session_id AND v.seq > m.first_seq AND v.seq < m.last_seq
     )
     SELECT count(*) AS count FROM marked`,
  columns: { count: bigint },
});

/** Deltas are for resuming; a day after the end of a turn its `done` answers every cursor. True: there may be more. */
export async function deleteOldDeltas(db: Db, olderThanHours: number): Promise<boolean> {
  const { rows } = await db.query(DELETE_OLD_DELTAS([olderThanHours]));
  return rows[0]!.count === DELETE_PAGE;
}
