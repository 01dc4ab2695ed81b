import type { Db } from "../pool.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

export interface CredentialRow {
  readonly organizationId: string;
  readonly id: string;
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly ciphertext: string;
  readonly fingerprint: string;
}

/** The ciphertext differs with every sealing; the fingerprint tells whether the secret does. */
export async function putCredential(db: Db, row: CredentialRow): Promise<Outcome> {
  const { rows } = await db.query(
    `INSERT INTO credentials AS known (organization_id, id, type, allowed_hosts, ciphertext, fingerprint)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (organization_id, id) DO UPDATE SET
       type = $3, allowed_hosts = $4, ciphertext = $5, fingerprint = $6, updated_at = now()
     WHERE (known.type, known.allowed_hosts, known.fingerprint) <> ($3, $4::text[], $6)
     RETURNING xmax = 0 AS created`,
    [row.organizationId, row.id, row.type, row.allowedHosts, row.ciphertext, row.fingerprint],
  );
  return outcomeOf(rows);
}
