import type { Db } from "../pool.ts";

export async function deleteCredential(db: Db, organizationId: string, id: string): Promise<void> {
  await db.query(`DELETE FROM credentials WHERE organization_id = $1 AND id = $2`, [organizationId, id]);
}
