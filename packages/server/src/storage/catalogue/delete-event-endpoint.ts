import type { Db } from "../pool.ts";

export async function deleteEventEndpoint(db: Db, organizationId: string, id: string): Promise<void> {
  await db.query(`DELETE FROM event_endpoints WHERE organization_id = $1 AND id = $2`, [organizationId, id]);
}
