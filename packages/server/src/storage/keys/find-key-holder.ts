import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_KEY_HOLDER = statement({
  text: `SELECT users.id FROM users LEFT JOIN memberships ON user_id = users.id AND organization_id = $1
     WHERE ($1::text IS NULL OR role IS NOT NULL) AND CASE WHEN $2::text IS NULL THEN role = 'owner' ELSE users.id = $2 END
     ORDER BY users.created_at, users.id LIMIT 1`,
  columns: { id: text },
});

/** The user a key is to act as: the named one, or else the organization's first owner. */
export async function findKeyHolder(
  db: Db,
  { organizationId, userId }: { organizationId?: string; userId?: string },
): Promise<string | undefined> {
  const { rows } = await db.query(FIND_KEY_HOLDER([organizationId, userId]));
  return rows[0]?.id;
}
