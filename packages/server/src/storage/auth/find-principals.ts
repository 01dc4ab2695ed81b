import type { Membership, Principal, Role } from "../../domain/principal.ts";
import { boolean, bytes, jsonb, oneOf, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_PRINCIPALS = statement({
  name: "find-principals",
  text: `SELECT k.hash, k.id AS key_id, k.scope, k.expires_at, u.id AS user_id, u.email, u.name, u.disabled,
            coalesce(jsonb_agg(jsonb_build_object(
              'id', o.id, 'role', m.role, 'suspended', o.suspended, 'requests_per_minute', o.requests_per_minute
            )) FILTER (WHERE o.id IS NOT NULL), '[]') AS organizations
       FROM api_keys k
       JOIN users u ON u.id = k.user_id
       -- An organization key acts as its user and ends with the membership.
       LEFT JOIN memberships m ON m.user_id = u.id AND (k.organization_id IS NULL OR m.organization_id = k.organization_id)
       LEFT JOIN organizations o ON o.id = m.organization_id
      WHERE k.hash = ANY($1)
        AND k.expires_at > clock_timestamp()
        AND (k.revoked_at IS NULL OR k.revoked_at > clock_timestamp())
      GROUP BY k.id, u.id
     HAVING k.scope = 'user' OR count(o.id) = 1`,
  columns: {
    hash: bytes,
    key_id: text,
    scope: oneOf("org", "user"),
    expires_at: timestamp,
    user_id: text,
    email: text,
    name: text,
    disabled: boolean,
    organizations:
      jsonb<readonly { id: string; role: Role; suspended: boolean; requests_per_minute: number | null }[]>(),
  },
});

/** The principal of each key, in their order; undefined for unknown, expired and revoked ones. */
export async function findPrincipals(
  db: Db,
  keyHashes: readonly Buffer[],
): Promise<(Principal | undefined)[]> {
  const { rows } = await db.query(FIND_PRINCIPALS([keyHashes]));
  const principals = new Map(rows.map((row) => [row.hash.toString("hex"), principalOf(row)]));
  return keyHashes.map((hash) => principals.get(hash.toString("hex")));
}

function principalOf(row: Row<typeof FIND_PRINCIPALS>): Principal {
  return {
    keyId: row.key_id,
    scope: row.scope,
    expiresAt: row.expires_at,
    user: { id: row.user_id, email: row.email, name: row.name, disabled: row.disabled },
    organizations: new Map(
      row.organizations.map(({ id, role, suspended, requests_per_minute }): [string, Membership] => [
        id,
        { role, suspended, requestsPerMinute: requests_per_minute ?? undefined },
      ]),
    ),
  };
}
