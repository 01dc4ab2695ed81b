import type { Db } from "../pool.ts";

/** What decides whether a post to a flow's webhook is let in. */
export interface WebhookGate {
  readonly organizationId: string;
  readonly tokenHash: Buffer;
  readonly enabled: boolean;
  readonly active: boolean;
  readonly suspended: boolean;
}

export async function findWebhookGate(db: Db, flowId: string): Promise<WebhookGate | undefined> {
  const { rows } = await db.query<WebhookGate>({
    name: "find-webhook-gate",
    text: `SELECT f.organization_id AS "organizationId", w.token_hash AS "tokenHash", w.enabled, f.active, o.suspended
             FROM flows f
             JOIN flow_webhooks w ON w.organization_id = f.organization_id AND w.flow_id = f.id
             JOIN organizations o ON o.id = f.organization_id
            WHERE f.id = $1 AND f.deleted_at IS NULL`,
    values: [flowId],
  });
  return rows[0];
}
