import type { Principal } from "../../domain/principal.ts";
import { MEMBERSHIPS, membershipsOf } from "../auth/memberships.ts";
import { boolean, bytes, oneOf, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { SESSION_END, SESSION_LIVES } from "./session-life.ts";

const FIND_SESSION_PRINCIPALS = statement({
  name: "find-session-principals",
  text: `SELECT s.hash, s.id, s.key_id, coalesce(k.scope, 'user') AS scope, coalesce(k.role, 'owner') AS role,
            ${SESSION_END} AS expires_at, u.id AS user_id, u.email, u.name, u.disabled,
            ${MEMBERSHIPS.select} AS organizations
       FROM console_sessions s
       JOIN users u ON u.id = s.user_id
       LEFT JOIN api_keys k ON k.id = s.key_id
       LEFT JOIN memberships m ON m.user_id = u.id AND (k.organization_id IS NULL OR m.organization_id = k.organization_id)
       LEFT JOIN organizations o ON o.id = m.organization_id
      WHERE s.hash = ANY($1) AND ${SESSION_LIVES}
      GROUP BY s.id, u.id, k.id
     HAVING coalesce(k.scope, 'user') = 'user' OR count(o.id) = 1`,
  columns: {
    hash: bytes,
    id: text,
    key_id: orNull(text),
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

/** The principal of each session, in their order; undefined for unknown, ended and expired ones. */
export async function findSessionPrincipals(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<(Principal | undefined)[]> {
  const { rows } = await db.query(FIND_SESSION_PRINCIPALS([tokenHashes]));
  const principals = new Map(rows.map((row) => [row.hash.toString("hex"), principalOf(row)]));
  return tokenHashes.map((hash) => principals.get(hash.toString("hex")));
}

function principalOf(row: Row<typeof FIND_SESSION_PRINCIPALS>): Principal {
  return {
    keyId: row.key_id ?? undefined,
    sessionId: row.id,
    scope: row.scope,
    expiresAt: row.expires_at,
    user: { id: row.user_id, email: row.email, name: row.name, disabled: row.disabled },
    organizations: membershipsOf(row.organizations, row.role),
  };
}
