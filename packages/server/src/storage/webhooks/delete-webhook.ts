import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_WEBHOOK = statement({
  text: `DELETE FROM flow_webhooks WHERE organization_id = $1 AND flow_id = $2`,
});

/** True where there was one. */
export async function deleteWebhook(db: Db, organizationId: string, flowId: string): Promise<boolean> {
  const { rowCount } = await db.query(DELETE_WEBHOOK([organizationId, flowId]));
  return rowCount !== 0;
}
