import type { Db } from "../pool.ts";

/** What decides whether a post to a flow's webhook is let in. */
export interface WebhookGate {
  readonly organizationId: string;
  readonly tokenHash: Buffer;
  readonly enabled: boolean;
  readonly active: boolean;
  readonly suspended: boolean;
}

/** The gate of each flow, in their order; undefined for flows that do not exist or have no webhook. */
export async function findWebhookGates(
  db: Db,
  flowIds: readonly string[],
): Promise<(WebhookGate | undefined)[]> {
  const { rows } = await db.query<WebhookGate & { flowId: string }>({
    name: "find-webhook-gates",
    text: `SELECT f.id AS "flowId", f.organization_id AS "organizationId", w.token_hash AS "tokenHash", w.enabled, f.active, o.suspended
             FROM flows f
             JOIN flow_webhooks w ON w.organization_id = f.organization_id AND w.flow_id = f.id
             JOIN organizations o ON o.id = f.organization_id
            WHERE f.id = ANY($1) AND f.deleted_at IS NULL`,
    values: [flowIds],
  });
  const gates = new Map(rows.map(({ flowId, ...gate }) => [flowId, gate]));
  return flowIds.map((flowId) => gates.get(flowId));
}
