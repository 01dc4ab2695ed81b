import type { ToolEvent, TurnRef } from "../../domain/agent/chat.ts";
import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { textArray } from "../text-array.ts";

export interface NewDelta {
  readonly turn: TurnRef;
  readonly seq: number;
  readonly text: string;
  /** In the place of a text. */
  readonly tool?: ToolEvent | undefined;
}

const INCOMING = `unnest($1::text[], $2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[])`;

const APPEND_DELTAS = statement({
  name: "append-deltas",
  text: `
INSERT INTO agent_stream_events (organization_id, session_id, seq, turn, type, payload, tool)
SELECT i.organization_id, i.session_id, i.seq, i.turn, 'text-delta', i.payload, i.tool::json
  FROM ${INCOMING} AS i(organization_id, session_id, seq, turn, payload, tool)
ON CONFLICT DO NOTHING`,
});

/**
 * One row per running turn, all turns of a process in one statement. The answer tells for each whether it stands in
 * the log now. It does not where the turn was taken away: whoever ended it took the next number, so no row of a
 * process that has lost its turn can ever follow. The same row written twice counts as written.
 */
export async function appendDeltas(db: Db, deltas: readonly NewDelta[]): Promise<boolean[]> {
  const values = [
    deltas.map(({ turn }) => turn.organizationId),
    deltas.map(({ turn }) => turn.sessionId),
    deltas.map(({ seq }) => seq),
    deltas.map(({ turn }) => turn.number),
    textArray(deltas.map(({ text }) => text)),
    deltas.map(({ tool }) => (tool ? JSON.stringify(tool) : null)),
  ];
  const { rowCount } = await db.query(APPEND_DELTAS(values));
  return rowCount === deltas.length ? deltas.map(() => true) : findStored(db, values);
}

const FIND_STORED_DELTAS = statement({
  text: `SELECT e.seq IS NOT NULL AS stored
       FROM ${INCOMING} WITH ORDINALITY AS i(organization_id, session_id, seq, turn, payload, tool, at)
       LEFT JOIN agent_stream_events e ON e.organization_id = i.organization_id AND e.session_id = i.session_id
         AND e.seq = i.seq AND e.turn = i.turn AND e.type = 'text-delta' AND e.payload = i.payload
         AND e.tool::text IS NOT DISTINCT FROM i.tool
      ORDER BY i.at`,
  columns: { stored: boolean },
});

async function findStored(db: Db, values: readonly unknown[]): Promise<boolean[]> {
  const { rows } = await db.query(FIND_STORED_DELTAS([...values]));
  return rows.map((row) => row.stored);
}
