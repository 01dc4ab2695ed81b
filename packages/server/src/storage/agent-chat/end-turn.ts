import type { ReplyFailureCode, ReplyUsage, TurnRef } from "../../domain/agent/chat.ts";
import type { ModelMessage } from "../../domain/agent/model-messages.ts";
import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { LISTENS_TO_AGENTS, MESSAGE_EVENT_JSON } from "./agent-events.ts";

export interface TurnEnd {
  readonly turn: TurnRef;
  readonly processId: string;
  /** Number of the last event that is stored. */
  readonly seq: number;
  /** Text that was not stored yet. */
  readonly rest: string;
  readonly replyText: string;
  readonly modelMessages: readonly ModelMessage[];
  readonly usage: ReplyUsage | undefined;
  readonly errorCode: ReplyFailureCode | undefined;
  readonly firstOutputAt: Date | undefined;
  readonly eventId: string;
}

const END_TURN = statement({
  name: "end-turn",
  text: `
WITH ended AS (
  UPDATE agent_turns t SET status = CASE WHEN $10::text IS NULL THEN 'completed' ELSE 'failed' END, reply_text = $7, model_messages = $8,
         history_size = t.history_size + $12, usage = $9, error_code = $10, last_seq = $6, first_output_at = $11, ended_at = millrace_now()
   WHERE t.organization_id = $1 AND t.session_id = $2 AND t.number = $3 AND t.status = 'running' AND t.process_id = $4
  RETURNING t.*
), said AS (
  INSERT INTO agent_stream_events (organization_id, session_id, seq, turn, type, payload)
  SELECT e.organization_id, e.session_id, x.seq, e.number, x.type, x.payload
    FROM ended e CROSS JOIN (VALUES
      ($6::bigint - 1, 'text-delta', nullif($5, '')),
      ($6::bigint, CASE WHEN $10::text IS NULL THEN 'done' ELSE 'error' END, $10::text)) AS x(seq, type, payload)
   WHERE x.type <> 'text-delta' OR x.payload IS NOT NULL
), counted AS (
  UPDATE agent_sessions s SET last_seq = e.last_seq, last_activity_at = e.ended_at
    FROM ended e WHERE s.organization_id = e.organization_id AND s.id = e.session_id
), told AS (
  INSERT INTO events (organization_id, id, type, data, created_at)
  SELECT e.organization_id, $13, 'agent.message_' || e.status, ${MESSAGE_EVENT_JSON}, e.ended_at
    FROM ended e JOIN agent_sessions s ON s.organization_id = e.organization_id AND s.id = e.session_id
   WHERE ${LISTENS_TO_AGENTS("e.organization_id")}
)
SELECT EXISTS (SELECT FROM ended) OR EXISTS (
  SELECT FROM agent_turns t WHERE t.organization_id = $1 AND t.session_id = $2 AND t.number = $3
     AND t.process_id = $4 AND t.last_seq = $6 AND t.reply_text = $7 AND t.error_code IS NOT DISTINCT FROM $10) AS mine`,
  columns: { mine: boolean },
});

/**
 * The end of a turn is one statement: last text, `done` or `error`, the reply, the session's number, the event for
 * others. False where the turn was not this process's any more; writing the same end twice is true both times.
 */
export async function endTurn(db: Db, end: TurnEnd): Promise<boolean> {
  const { organizationId, sessionId, number } = end.turn;
  const lastSeq = end.seq + (end.rest === "" ? 1 : 2);
  const messages = JSON.stringify(end.modelMessages);
  const { rows } = await db.query(
    END_TURN([
      organizationId,
      sessionId,
      number,
      end.processId,
      end.rest,
      lastSeq,
      end.replyText,
      messages,
      end.usage ? JSON.stringify(end.usage) : null,
      end.errorCode ?? null,
      end.firstOutputAt ?? null,
      messages.length,
      end.eventId,
    ]),
  );
  return rows[0]!.mine;
}
