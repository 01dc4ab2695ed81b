import type { PageRequest } from "../../domain/cursor.ts";
import { oneOf, orNull, text, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import type { RowOf } from "../statement.ts";

const COLUMNS = {
  id: text,
  name: text,
  hint: text,
  role: oneOf("owner", "admin", "member", "viewer"),
  userId: text,
  state: oneOf("active", "rotated", "expired", "revoked"),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: orNull(timestamp),
  created_at: timestamp,
};

export type OrganizationKey = RowOf<typeof COLUMNS>;

const LIST_ORGANIZATION_KEYS = keysetList({
  text: `SELECT * FROM (
       SELECT id, name, hint, role, user_id AS "userId",
              CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
                   WHEN rotated_to IS NOT NULL THEN 'rotated' ELSE 'active' END AS state,
              date_trunc('milliseconds', created_at) AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
              date_trunc('milliseconds', created_at) AS created_at
         FROM api_keys WHERE organization_id = $1
     ) keys WHERE true`,
  columns: COLUMNS,
});

/** The keys of an organization, newest first. */
export async function listOrganizationKeys(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<OrganizationKey[]> {
  const { rows } = await db.query(LIST_ORGANIZATION_KEYS(organizationId, page));
  return rows;
}
