import type { Db } from "../pool.ts";

/** For changes in what belongs to a flow but is kept beside it. */
export async function touchFlow(db: Db, organizationId: string, id: string): Promise<void> {
  await db.query(`UPDATE flows SET updated_at = now() WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    id,
  ]);
}
