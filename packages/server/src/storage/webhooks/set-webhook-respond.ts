import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const SET_WEBHOOK_RESPOND = statement({
  text: `UPDATE flow_webhooks SET respond_wait_ms = $3
      WHERE organization_id = $1 AND flow_id = $2 AND respond_wait_ms IS DISTINCT FROM $3::integer`,
});

/** How long a caller waits for the flow's own answer; null: not at all. True where this changed something. */
export async function setWebhookRespond(
  db: Db,
  organizationId: string,
  flowId: string,
  waitMs: number | null,
): Promise<boolean> {
  const { rowCount } = await db.query(SET_WEBHOOK_RESPOND([organizationId, flowId, waitMs]));
  return rowCount !== 0;
}
