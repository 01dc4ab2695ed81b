import { oneOf, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_KEYS = statement({
  text: `SELECT id, hint, name, scope, role, organization_id AS "organizationId", user_id AS "userId",
            CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
                 WHEN rotated_to IS NOT NULL THEN 'rotated' ELSE 'active' END AS state,
            expires_at AS "expiresAt", last_used_at AS "lastUsedAt", created_at AS "createdAt"
     FROM api_keys
     WHERE ($1::text IS NULL OR organization_id = $1) AND ($2::text IS NULL OR user_id = $2)
     ORDER BY created_at DESC, id DESC`,
  columns: {
    id: text,
    hint: text,
    name: text,
    scope: oneOf("org", "user"),
    role: oneOf("owner", "admin", "member", "viewer"),
    organizationId: orNull(text),
    userId: text,
    state: oneOf("active", "rotated", "expired", "revoked"),
    expiresAt: timestamp,
    lastUsedAt: orNull(timestamp),
    createdAt: timestamp,
  },
});

export type KeySummary = Row<typeof LIST_KEYS>;

/** A rotated key still works until it expires. */
export async function listKeys(
  db: Db,
  { organizationId, userId }: { organizationId?: string; userId?: string },
): Promise<KeySummary[]> {
  const { rows } = await db.query(LIST_KEYS([organizationId, userId]));
  return rows;
}
