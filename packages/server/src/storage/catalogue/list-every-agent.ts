import { boolean, orNull, text, texts } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_EVERY_AGENT = statement({
  text: `SELECT id, organization_id AS "organizationId", name, slug, active, model_ids AS "modelIds"
     FROM agents WHERE deleted_at IS NULL AND ($1::text IS NULL OR organization_id = $1)
     ORDER BY 2, 1`,
  columns: {
    id: text,
    organizationId: text,
    name: text,
    slug: orNull(text),
    active: boolean,
    modelIds: texts,
  },
});

export type AgentSummary = Row<typeof LIST_EVERY_AGENT>;

/** For operators: of every organization, or of one. */
export async function listEveryAgent(db: Db, organizationId?: string): Promise<AgentSummary[]> {
  const { rows } = await db.query(LIST_EVERY_AGENT([organizationId]));
  return rows;
}
