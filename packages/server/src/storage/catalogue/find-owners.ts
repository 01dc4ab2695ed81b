import type { Db } from "../pool.ts";

export interface Owned {
  readonly kind: "Flow" | "Agent";
  readonly id: string;
  readonly organizationId: string;
}

/** Which organizations hold these flow and agent ids, deleted ones included: an id is never given to another one. */
export async function findOwners(
  db: Db,
  flowIds: readonly string[],
  agentIds: readonly string[],
): Promise<Owned[]> {
  const { rows } = await db.query(
    `SELECT 'Flow' AS kind, id, organization_id AS "organizationId" FROM flows WHERE id = ANY ($1::text[])
     UNION ALL
     SELECT 'Agent', id, organization_id FROM agents WHERE id = ANY ($2::text[])`,
    [flowIds, agentIds],
  );
  return rows;
}
