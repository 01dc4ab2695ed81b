import { boolean, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_WEBHOOK = statement({
  text: `SELECT flows.organization_id AS "organizationId", flow_id AS "flowId",
            token_ciphertext AS "tokenCiphertext", enabled
     FROM flows JOIN flow_webhooks ON flow_webhooks.organization_id = flows.organization_id AND flow_id = flows.id
     WHERE flows.id = $1`,
  columns: { organizationId: text, flowId: text, tokenCiphertext: text, enabled: boolean },
});

export type StoredWebhook = Row<typeof FIND_WEBHOOK>;

export async function findWebhook(db: Db, flowId: string): Promise<StoredWebhook | undefined> {
  const { rows } = await db.query(FIND_WEBHOOK([flowId]));
  return rows[0];
}
