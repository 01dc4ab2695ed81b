import type { Db } from "../pool.ts";

export interface SealedSample {
  readonly organizationId: string;
  readonly kind: "credential" | "webhook" | "event-endpoint";
  readonly id: string;
  readonly ciphertext: string;
}

/** One sealed secret for every encryption key that was ever used and still is needed. */
export async function listSealedSamples(db: Db): Promise<SealedSample[]> {
  const { rows } = await db.query<SealedSample>(
    `SELECT DISTINCT ON (split_part(ciphertext, '.', 2)) * FROM (
       SELECT organization_id AS "organizationId", 'credential' AS kind, id, ciphertext FROM credentials
       UNION ALL
       SELECT organization_id, 'webhook', flow_id, token_ciphertext FROM flow_webhooks
       UNION ALL
       SELECT organization_id, 'event-endpoint', id, secret_ciphertext FROM event_endpoints
     ) AS sealed`,
  );
  return rows;
}
