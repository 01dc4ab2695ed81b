import { oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_OWNERS = statement({
  text: `SELECT 'Flow' AS kind, id, organization_id AS "organizationId" FROM flows WHERE id = ANY ($1::text[])
     UNION ALL
     SELECT 'Agent', id, organization_id FROM agents WHERE id = ANY ($2::text[])`,
  columns: { kind: oneOf("Flow", "Agent"), id: text, organizationId: text },
});

export type Owned = Row<typeof FIND_OWNERS>;

/** Which organizations hold these flow and agent ids, deleted ones included: an id is never given to another one. */
export async function findOwners(
  db: Db,
  flowIds: readonly string[],
  agentIds: readonly string[],
): Promise<Owned[]> {
  const { rows } = await db.query(FIND_OWNERS([flowIds, agentIds]));
  return rows;
}
