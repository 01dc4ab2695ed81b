import type { Db } from "../pool.ts";

/** True where there was one. */
export async function deleteWebhook(db: Db, organizationId: string, flowId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `DELETE FROM flow_webhooks WHERE organization_id = $1 AND flow_id = $2`,
    [organizationId, flowId],
  );
  return rowCount !== 0;
}
