import type { Db } from "../pool.ts";

/** True where this changed something. */
export async function setWebhookEnabled(
  db: Db,
  organizationId: string,
  flowId: string,
  enabled: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE flow_webhooks SET enabled = $3 WHERE organization_id = $1 AND flow_id = $2 AND enabled <> $3`,
    [organizationId, flowId, enabled],
  );
  return rowCount !== 0;
}
