import type { Db } from "../pool.ts";

export interface StoredWebhook {
  readonly organizationId: string;
  readonly flowId: string;
  readonly tokenCiphertext: string;
  readonly enabled: boolean;
}

export async function findWebhook(db: Db, flowId: string): Promise<StoredWebhook | undefined> {
  const { rows } = await db.query(
    `SELECT flows.organization_id AS "organizationId", flow_id AS "flowId",
            token_ciphertext AS "tokenCiphertext", enabled
     FROM flows JOIN flow_webhooks ON flow_webhooks.organization_id = flows.organization_id AND flow_id = flows.id
     WHERE flows.id = $1`,
    [flowId],
  );
  return rows[0];
}
