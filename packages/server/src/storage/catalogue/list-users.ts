import { boolean, jsonb, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_USERS = statement({
  text: `SELECT users.id, email, name, disabled,
            coalesce(jsonb_agg(jsonb_build_object('organizationId', organization_id, 'role', role)
              ORDER BY organization_id) FILTER (WHERE role IS NOT NULL), '[]') AS memberships
     FROM users LEFT JOIN memberships ON user_id = users.id
     GROUP BY users.id
     HAVING $1::text IS NULL OR bool_or(organization_id = $1)
     ORDER BY users.id`,
  columns: {
    id: text,
    email: text,
    name: text,
    disabled: boolean,
    memberships: jsonb<readonly { readonly organizationId: string; readonly role: string }[]>(),
  },
});

export type UserSummary = Row<typeof LIST_USERS>;

/** All of them, or the members of one organization. */
export async function listUsers(db: Db, organizationId?: string): Promise<UserSummary[]> {
  const { rows } = await db.query(LIST_USERS([organizationId]));
  return rows;
}
