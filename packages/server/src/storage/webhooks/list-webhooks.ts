import { boolean, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_WEBHOOKS = statement({
  text: `SELECT w.flow_id AS id, w.token_ciphertext AS "tokenCiphertext", w.enabled
       FROM flow_webhooks w JOIN flows f ON f.organization_id = w.organization_id AND f.id = w.flow_id
      WHERE w.organization_id = $1 AND f.deleted_at IS NULL ORDER BY w.flow_id LIMIT 10000`,
  columns: { id: text, tokenCiphertext: text, enabled: boolean },
});

export type ListedWebhook = Row<typeof LIST_WEBHOOKS>;

/** Those of an organization, by the flow they start. */
export async function listWebhooks(db: Db, organizationId: string): Promise<ListedWebhook[]> {
  const { rows } = await db.query(LIST_WEBHOOKS([organizationId]));
  return rows;
}
