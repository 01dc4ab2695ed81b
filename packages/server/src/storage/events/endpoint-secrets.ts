import type { Db } from "../pool.ts";

interface EndpointName {
  readonly organizationId: string;
  readonly id: string;
}

export interface SealedSecrets {
  readonly secretCiphertext: string;
  /** While a secret rotates. */
  readonly previousSecretCiphertext: string | null;
  readonly previousSecretUntil: Date | null;
}

const COLUMNS = `secret_ciphertext AS "secretCiphertext",
  CASE WHEN previous_secret_until > millrace_now() THEN previous_secret_ciphertext END AS "previousSecretCiphertext",
  CASE WHEN previous_secret_until > millrace_now() THEN previous_secret_until END AS "previousSecretUntil"`;

export async function findEndpointSecrets(
  db: Db,
  { organizationId, id }: EndpointName,
): Promise<SealedSecrets | undefined> {
  const { rows } = await db.query<SealedSecrets>(
    `SELECT ${COLUMNS} FROM event_endpoints WHERE organization_id = $1 AND id = $2`,
    [organizationId, id],
  );
  return rows[0];
}

/** A new secret; the old one signs too for a while. Undefined where an earlier rotation still overlaps, unless forced. */
export async function rotateEndpointSecret(
  db: Db,
  { organizationId, id }: EndpointName,
  { secretCiphertext, overlapMs, force }: { secretCiphertext: string; overlapMs: number; force: boolean },
): Promise<SealedSecrets | undefined> {
  const { rows } = await db.query<SealedSecrets>(
    `UPDATE event_endpoints SET previous_secret_ciphertext = secret_ciphertext, secret_ciphertext = $3,
            previous_secret_until = millrace_now() + $4 * interval '1 millisecond'
      WHERE organization_id = $1 AND id = $2 AND ($5 OR previous_secret_until IS NULL OR previous_secret_until <= millrace_now())
      RETURNING ${COLUMNS}`,
    [organizationId, id, secretCiphertext, overlapMs, force],
  );
  return rows[0];
}
