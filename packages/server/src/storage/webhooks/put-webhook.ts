import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface WebhookRow {
  readonly organizationId: string;
  readonly flowId: string;
  readonly tokenHash: Buffer;
  readonly tokenCiphertext: string;
}

const PUT_WEBHOOK = statement({
  text: `INSERT INTO flow_webhooks (organization_id, flow_id, token_hash, token_ciphertext)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, flow_id) DO UPDATE SET
       token_hash = excluded.token_hash, token_ciphertext = excluded.token_ciphertext, created_at = now()`,
});

/** A new token for the flow; the old one, if any, is void from now on. */
export async function putWebhook(db: Db, row: WebhookRow): Promise<void> {
  await db.query(PUT_WEBHOOK([row.organizationId, row.flowId, row.tokenHash, row.tokenCiphertext]));
}
