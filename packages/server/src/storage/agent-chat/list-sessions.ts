import type { PageRequest } from "../../domain/cursor.ts";
import { idTimeMs } from "../../domain/ids.ts";
import { integer, json, oneOf, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const columns = {
  id: text,
  externalId: text,
  endUserId: orNull(text),
  sessionKey: orNull(text),
  turns: integer,
  lastActivityAt: timestamp,
};
const SESSION = `id, external_id AS "externalId", end_user_id AS "endUserId", session_key AS "sessionKey", last_turn AS turns,
  last_activity_at AS "lastActivityAt"`;
const list = (beyond: string) =>
  statement({
    text: `SELECT ${SESSION} FROM agent_sessions WHERE organization_id = $1 AND agent_id = $2 AND ${beyond} LIMIT $4`,
    columns,
  });

const FROM_NEWEST = list("($3::text IS NULL OR id < $3) ORDER BY id DESC");
const BACK = list("id > $3 ORDER BY id");
const FIND_SESSION_RECORD = statement({
  text: `SELECT ${SESSION} FROM agent_sessions WHERE organization_id = $1 AND agent_id = $2 AND id = $3`,
  columns,
});

export type SessionRecord = Row<typeof FROM_NEWEST> & { readonly createdAt: Date };

/** One more than the page, in the direction of the request. */
export async function listSessions(
  db: Db,
  organizationId: string,
  agentId: string,
  { after, before, size }: PageRequest,
): Promise<SessionRecord[]> {
  const read = before ? BACK : FROM_NEWEST;
  const { rows } = await db.query(read([organizationId, agentId, (after ?? before)?.id ?? null, size + 1]));
  return rows.map(toRecord);
}

export async function findSessionRecord(
  db: Db,
  organizationId: string,
  agentId: string,
  sessionId: string,
): Promise<SessionRecord | undefined> {
  const { rows } = await db.query(FIND_SESSION_RECORD([organizationId, agentId, sessionId]));
  return rows[0] && toRecord(rows[0]);
}

function toRecord(row: Row<typeof FROM_NEWEST>): SessionRecord {
  return { ...row, createdAt: new Date(idTimeMs(row.id)) };
}

/** A tool that a reply has called; of arguments and answer the beginning, as text. */
interface TurnTool {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly output: string | null;
  readonly isError: boolean | null;
}

const MAX_TOOLS = 100;
const MAX_SHOWN = 2_000;
/** From what the model was told, call by call in the order of the calls. */
const TOOLS = `(SELECT coalesce(json_agg(json_build_object('id', c.part ->> 'toolCallId', 'name', c.part ->> 'toolName',
              'input', left(c.part ->> 'input', ${MAX_SHOWN}), 'output', left(a.part -> 'output' ->> 'value', ${MAX_SHOWN}),
              'isError', a.part -> 'output' ->> 'type' = 'error-text') ORDER BY c.nth), '[]')
        FROM (SELECT p.part, row_number() OVER (ORDER BY m.nth, p.nth) AS nth
                FROM json_array_elements(model_messages) WITH ORDINALITY AS m(message, nth)
               CROSS JOIN json_array_elements(m.message -> 'content') WITH ORDINALITY AS p(part, nth)
               WHERE p.part ->> 'type' = 'tool-call' LIMIT ${MAX_TOOLS}) AS c
        LEFT JOIN LATERAL (SELECT p.part FROM json_array_elements(model_messages) AS m(message)
                            CROSS JOIN json_array_elements(m.message -> 'content') AS p(part)
                            WHERE p.part ->> 'type' = 'tool-result' AND p.part ->> 'toolCallId' = c.part ->> 'toolCallId' LIMIT 1) AS a ON true)`;

const turnColumns = {
  number: integer,
  status: oneOf("queued", "running", "completed", "failed"),
  message: text,
  reply: orNull(text),
  error: orNull(text),
  createdAt: timestamp,
  startedAt: orNull(timestamp),
  firstOutputAt: orNull(timestamp),
  endedAt: orNull(timestamp),
  tools: json<readonly TurnTool[]>(),
};
const turns = (beyond: string) =>
  statement({
    text: `SELECT number, status, user_text AS message, reply_text AS reply, error_code AS error, created_at AS "createdAt",
            started_at AS "startedAt", first_output_at AS "firstOutputAt", ended_at AS "endedAt", ${TOOLS} AS tools
       FROM agent_turns WHERE organization_id = $1 AND session_id = $2 AND ${beyond} LIMIT $4`,
    columns: turnColumns,
  });

const TURNS_ONWARD = turns("($3::integer IS NULL OR number > $3) ORDER BY number");
const TURNS_BACK = turns("number < $3 ORDER BY number DESC");

export type TurnRecord = Row<typeof TURNS_ONWARD>;

/** One more than asked for, in the direction that is asked for. */
export async function listTurns(
  db: Db,
  { organizationId, sessionId }: { readonly organizationId: string; readonly sessionId: string },
  {
    from,
    isBack,
    size,
  }: { readonly from: number | undefined; readonly isBack: boolean; readonly size: number },
): Promise<TurnRecord[]> {
  const read = isBack ? TURNS_BACK : TURNS_ONWARD;
  return (await db.query(read([organizationId, sessionId, from, size + 1]))).rows;
}
