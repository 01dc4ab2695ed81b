import { boolean, bytes, integer, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_WEBHOOK_GATES = statement({
  name: "find-webhook-gates",
  text: `SELECT f.id AS "flowId", f.organization_id AS "organizationId", w.token_hash AS "tokenHash", w.enabled, f.active, o.suspended,
                  w.respond_wait_ms AS "respondWaitMs"
             FROM flows f
             JOIN flow_webhooks w ON w.organization_id = f.organization_id AND w.flow_id = f.id
             JOIN organizations o ON o.id = f.organization_id
            WHERE f.id = ANY($1) AND f.deleted_at IS NULL`,
  columns: {
    flowId: text,
    organizationId: text,
    tokenHash: bytes,
    enabled: boolean,
    active: boolean,
    suspended: boolean,
    /** How long a caller waits for the flow's own answer; null: not at all. */
    respondWaitMs: orNull(integer),
  },
});

/** What decides whether a post to a flow's webhook is let in. */
export type WebhookGate = Omit<Row<typeof FIND_WEBHOOK_GATES>, "flowId">;

/** The gate of each flow, in their order; undefined for flows that do not exist or have no webhook. */
export async function findWebhookGates(
  db: Db,
  flowIds: readonly string[],
): Promise<(WebhookGate | undefined)[]> {
  const { rows } = await db.query(FIND_WEBHOOK_GATES([flowIds]));
  const gates = new Map(rows.map(({ flowId, ...gate }) => [flowId, gate]));
  return flowIds.map((flowId) => gates.get(flowId));
}
