import { assumed, integer, json, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

export interface OpenWait {
  readonly organizationId: string;
  readonly runId: string;
  readonly nodeKey: string;
  readonly attempt: number;
}

const FIND_ANSWERS = statement({
  name: "find-answers",
  text: `SELECT w.organization_id AS "organizationId", w.run_id AS "runId", w.node_key AS "nodeKey", w.attempt, w.answer,
                  w.answered_at AS "answeredAt"
             FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[]) AS a(organization_id, run_id, node_key, attempt)
             JOIN run_waits w USING (organization_id, run_id, node_key, attempt) WHERE w.answered_at IS NOT NULL`,
  columns: {
    organizationId: text,
    runId: text,
    nodeKey: text,
    attempt: integer,
    answer: assumed(json<Readonly<Record<string, unknown>>>()),
    answeredAt: assumed(timestamp),
  },
});

export type FoundAnswer = Row<typeof FIND_ANSWERS>;

/** Which of these have been answered. */
export async function findAnswers(db: Db, waits: readonly OpenWait[]): Promise<FoundAnswer[]> {
  const { rows } = await db.query(
    FIND_ANSWERS([
      waits.map(({ organizationId }) => organizationId),
      waits.map(({ runId }) => runId),
      waits.map(({ nodeKey }) => nodeKey),
      waits.map(({ attempt }) => attempt),
    ]),
  );
  return rows;
}
