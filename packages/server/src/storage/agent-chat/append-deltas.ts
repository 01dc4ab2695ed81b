import type { TurnRef } from "../../domain/agent/chat.ts";
import type { Db } from "../pool.ts";

export interface NewDelta {
  readonly turn: TurnRef;
  readonly seq: number;
  readonly text: string;
}

/**
 * One row per running turn, all turns of a process in one statement. The answer tells for each whether it stands in
 * the log now. It does not where the turn was taken away: whoever ended it took the next number, so no row of a
 * process that has lost its turn can ever follow. The same row written twice counts as written.
 */
export async function appendDeltas(db: Db, deltas: readonly NewDelta[]): Promise<boolean[]> {
  const { rows } = await db.query({
    name: "append-deltas",
    text: `
WITH incoming AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::integer[], $5::text[])
    WITH ORDINALITY AS i(organization_id, session_id, seq, turn, payload, at)
), written AS (
  INSERT INTO agent_stream_events (organization_id, session_id, seq, turn, type, payload)
  SELECT organization_id, session_id, seq, turn, 'text-delta', payload FROM incoming
  ON CONFLICT DO NOTHING
  RETURNING organization_id, session_id
)
SELECT w.session_id IS NOT NULL OR e.seq IS NOT NULL AS stored
  FROM incoming i
  LEFT JOIN written w ON w.organization_id = i.organization_id AND w.session_id = i.session_id
  LEFT JOIN agent_stream_events e ON e.organization_id = i.organization_id AND e.session_id = i.session_id
    AND e.seq = i.seq AND e.turn = i.turn AND e.type = 'text-delta' AND e.payload = i.payload
 ORDER BY i.at`,
    values: [
      deltas.map(({ turn }) => turn.organizationId),
      deltas.map(({ turn }) => turn.sessionId),
      deltas.map(({ seq }) => seq),
      deltas.map(({ turn }) => turn.number),
      deltas.map(({ text }) => text),
    ],
  });
  return rows.map((row) => row.stored);
}
