import type { SessionRef } from "../../domain/agent/chat.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { textArray } from "../text-array.ts";

const INSERT_HISTORY = statement({
  text: `
WITH given AS (
  SELECT g.number::integer AS number, g.message, g.reply
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS g(message, reply, number)
), put AS (
  INSERT INTO agent_turns (organization_id, session_id, number, status, user_text, reply_text, model_messages, history_size,
                           first_seq, last_seq, started_at, ended_at, deltas_deleted)
  SELECT $1, $2, g.number, 'completed', g.message, g.reply,
         CASE WHEN g.reply <> '' THEN
           json_build_array(json_build_object('role', 'assistant', 'content', json_build_array(json_build_object('type', 'text', 'text', g.reply)))) END,
         length(g.message) + length(g.reply), 0, 0, millrace_now(), millrace_now(), true
    FROM given g
)
UPDATE agent_sessions s SET last_turn = (SELECT max(g.number) FROM given g)
 WHERE s.organization_id = $1 AND s.id = $2 AND s.last_turn = 0`,
});

/** What was said before, elsewhere, as turns of a session that has none yet. */
export async function insertHistory(
  db: Db,
  { organizationId, sessionId }: SessionRef,
  turns: readonly { readonly message: string; readonly reply: string }[],
): Promise<void> {
  if (turns.length === 0) return;
  await db.query(
    INSERT_HISTORY([
      organizationId,
      sessionId,
      textArray(turns.map(({ message }) => message)),
      textArray(turns.map(({ reply }) => reply)),
    ]),
  );
}
