import { oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_PRUNABLE = statement({
  text: `SELECT 'Flow' AS kind, organization_id AS "organizationId", id FROM flows
       WHERE organization_id = ANY ($1::text[]) AND deleted_at IS NULL
     UNION ALL
     SELECT 'Agent', organization_id, id FROM agents WHERE organization_id = ANY ($1::text[]) AND deleted_at IS NULL
     UNION ALL
     SELECT 'Credential', organization_id, id FROM credentials WHERE organization_id = ANY ($1::text[])
     UNION ALL
     SELECT 'EventEndpoint', organization_id, id FROM event_endpoints WHERE organization_id = ANY ($1::text[])
     ORDER BY 2, 1, 3`,
  columns: { kind: oneOf("Flow", "Agent", "Credential", "EventEndpoint"), organizationId: text, id: text },
});

export type PrunableRow = Row<typeof LIST_PRUNABLE>;

/** Everything that documents put into these organizations. */
export async function listPrunable(db: Db, organizationIds: readonly string[]): Promise<PrunableRow[]> {
  const { rows } = await db.query(LIST_PRUNABLE([organizationIds]));
  return rows;
}
