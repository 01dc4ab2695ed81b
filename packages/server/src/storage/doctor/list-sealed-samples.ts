import { oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_SEALED_SAMPLES = statement({
  text: `SELECT DISTINCT ON (split_part(ciphertext, '.', 2)) * FROM (
       SELECT organization_id AS "organizationId", 'credential' AS kind, id, ciphertext FROM credentials
       UNION ALL
       SELECT organization_id, 'webhook', flow_id, token_ciphertext FROM flow_webhooks
       UNION ALL
       SELECT organization_id, 'event-endpoint', id, secret_ciphertext FROM event_endpoints
     ) AS sealed`,
  columns: {
    organizationId: text,
    kind: oneOf("credential", "webhook", "event-endpoint"),
    id: text,
    ciphertext: text,
  },
});

export type SealedSample = Row<typeof LIST_SEALED_SAMPLES>;

/** One sealed secret for every encryption key that was ever used and still is needed. */
export async function listSealedSamples(db: Db): Promise<SealedSample[]> {
  const { rows } = await db.query(LIST_SEALED_SAMPLES());
  return rows;
}
