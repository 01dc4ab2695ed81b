import type { Principal } from "../../domain/principal.ts";
import { boolean, bytes, oneOf, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { MEMBERSHIPS, membershipsOf } from "./memberships.ts";

const FIND_PRINCIPALS = statement({
  name: "find-principals",
  text: `SELECT k.hash, k.id AS key_id, k.scope, k.role, k.expires_at, u.id AS user_id, u.email, u.name, u.disabled,
            ${MEMBERSHIPS.select} AS organizations
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
    role: oneOf("owner", "admin", "member", "viewer"),
    expires_at: timestamp,
    user_id: text,
    email: text,
    name: text,
    disabled: boolean,
    organizations: MEMBERSHIPS.column,
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
    organizations: membershipsOf(row.organizations, row.role),
  };
}
