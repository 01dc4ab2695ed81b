import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const SET_WEBHOOK_ENABLED = statement({
  text: `UPDATE flow_webhooks SET enabled = $3 WHERE organization_id = $1 AND flow_id = $2 AND enabled <> $3`,
});

/** True where this changed something. */
export async function setWebhookEnabled(
  db: Db,
  organizationId: string,
  flowId: string,
  enabled: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(SET_WEBHOOK_ENABLED([organizationId, flowId, enabled]));
  return rowCount !== 0;
}
