import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

export interface CredentialRow {
  readonly organizationId: string;
  readonly id: string;
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly allowUnencrypted: boolean;
  readonly ciphertext: string;
  readonly fingerprint: string;
}

const PUT_CREDENTIAL = statement({
  text: `INSERT INTO credentials AS known (organization_id, id, type, allowed_hosts, ciphertext, fingerprint, allow_unencrypted)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (organization_id, id) DO UPDATE SET
       type = $3, allowed_hosts = $4, ciphertext = $5, fingerprint = $6, allow_unencrypted = $7, updated_at = now()
     WHERE (known.type, known.allowed_hosts, known.fingerprint, known.allow_unencrypted) <> ($3, $4::text[], $6, $7)
     RETURNING xmax = 0 AS created`,
  columns: { created: boolean },
});

/** The ciphertext differs with every sealing; the fingerprint tells whether the secret does. */
export async function putCredential(db: Db, row: CredentialRow): Promise<Outcome> {
  const { rows } = await db.query(
    PUT_CREDENTIAL([
      row.organizationId,
      row.id,
      row.type,
      row.allowedHosts,
      row.ciphertext,
      row.fingerprint,
      row.allowUnencrypted,
    ]),
  );
  return outcomeOf(rows);
}
