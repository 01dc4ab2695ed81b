import type { ChatEvent, ReplyFailureCode, SessionRef, ToolEvent } from "../../domain/agent/chat.ts";
import { assumed, bigint, boolean, integer, json, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const READ_EVENTS = statement({
  name: "read-chat-events",
  text: `
SELECT c.at::integer AS at, e.seq, e.turn, e.type, e.text, e.tool
  FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS c(organization_id, session_id, after, at)
 CROSS JOIN LATERAL (
   SELECT v.seq, v.turn, v.type, CASE WHEN v.type = 'done' THEN t.reply_text ELSE v.payload END AS text, v.tool
     FROM agent_stream_events v
     LEFT JOIN agent_turns t ON v.type = 'done' AND t.organization_id = v.organization_id AND t.session_id = v.session_id AND t.number = v.turn
    WHERE v.organization_id = c.organization_id AND v.session_id = c.session_id AND v.seq > c.after
    ORDER BY v.seq LIMIT $4) e
 ORDER BY c.at, e.seq`,
  columns: {
    at: integer,
    seq: bigint,
    turn: integer,
    type: oneOf("text-delta", "done", "error"),
    text: assumed(text),
    /** In the place of a text. */
    tool: orNull(json<ToolEvent>()),
  },
});

type EventRow = Row<typeof READ_EVENTS>;

/** What stands in the logs behind each of the given cursors, in one query; a page of each. */
export async function readEvents(
  db: Db,
  cursors: readonly (SessionRef & { readonly after: number })[],
  pageSize: number,
): Promise<ChatEvent[][]> {
  const { rows } = await db.query(
    READ_EVENTS([
      cursors.map(({ organizationId }) => organizationId),
      cursors.map(({ sessionId }) => sessionId),
      cursors.map(({ after }) => after),
      pageSize,
    ]),
  );
  const events: ChatEvent[][] = cursors.map(() => []);
  for (const row of rows) events[row.at - 1]!.push(toEvent(row));
  return events;
}

function toEvent({ seq, turn, type, text, tool }: EventRow): ChatEvent {
  if (tool) return { seq, turn, ...tool };
  if (type === "error") return { seq, turn, type, code: text as ReplyFailureCode };
  return { seq, turn, type, text };
}

const IS_IDLE_AFTER = statement({
  name: "is-idle-after",
  text: `
SELECT s.last_seq <= $3 AND NOT EXISTS (
         SELECT FROM agent_turns t WHERE t.organization_id = s.organization_id AND t.session_id = s.id AND t.status IN ('queued', 'running')) AS idle
  FROM agent_sessions s WHERE s.organization_id = $1 AND s.id = $2`,
  columns: { idle: assumed(boolean) },
});

/** Whether nothing follows this event and nobody writes or waits for a reply. */
export async function isIdleAfter(
  db: Db,
  { organizationId, sessionId }: SessionRef,
  seq: number,
): Promise<boolean> {
  const { rows } = await db.query(IS_IDLE_AFTER([organizationId, sessionId, seq]));
  return rows[0]?.idle ?? true;
}
