import { orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type RowOf, statement } from "../statement.ts";

interface EndpointName {
  readonly organizationId: string;
  readonly id: string;
}

const SECRETS = {
  select: `secret_ciphertext AS "secretCiphertext",
  CASE WHEN previous_secret_until > millrace_now() THEN previous_secret_ciphertext END AS "previousSecretCiphertext",
  CASE WHEN previous_secret_until > millrace_now() THEN previous_secret_until END AS "previousSecretUntil"`,
  columns: {
    secretCiphertext: text,
    /** While a secret rotates. */
    previousSecretCiphertext: orNull(text),
    previousSecretUntil: orNull(timestamp),
  },
};

export type SealedSecrets = RowOf<typeof SECRETS.columns>;

const FIND_ENDPOINT_SECRETS = statement({
  text: `SELECT ${SECRETS.select} FROM event_endpoints WHERE organization_id = $1 AND id = $2`,
  columns: SECRETS.columns,
});

export async function findEndpointSecrets(
  db: Db,
  { organizationId, id }: EndpointName,
): Promise<SealedSecrets | undefined> {
  const { rows } = await db.query(FIND_ENDPOINT_SECRETS([organizationId, id]));
  return rows[0];
}

const ROTATE_ENDPOINT_SECRET = statement({
  text: `UPDATE event_endpoints SET previous_secret_ciphertext = secret_ciphertext, secret_ciphertext = $3,
            previous_secret_until = millrace_now() + $4 * interval '1 millisecond'
      WHERE organization_id = $1 AND id = $2 AND ($5 OR previous_secret_until IS NULL OR previous_secret_until <= millrace_now())
      RETURNING ${SECRETS.select}`,
  columns: SECRETS.columns,
});

/** A new secret; the old one signs too for a while. Undefined where an earlier rotation still overlaps, unless forced. */
export async function rotateEndpointSecret(
  db: Db,
  { organizationId, id }: EndpointName,
  { secretCiphertext, overlapMs, force }: { secretCiphertext: string; overlapMs: number; force: boolean },
): Promise<SealedSecrets | undefined> {
  const { rows } = await db.query(
    ROTATE_ENDPOINT_SECRET([organizationId, id, secretCiphertext, overlapMs, force]),
  );
  return rows[0];
}
