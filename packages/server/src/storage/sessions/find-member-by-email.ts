import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_MEMBER_BY_EMAIL = statement({
  text: `SELECT u.id FROM users u
      WHERE lower(u.email) = lower($1) AND EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)
      ORDER BY u.created_at, u.id LIMIT 1`,
  columns: { id: text },
});

/** The member with this address; of several, who was there first. */
export async function findMemberByEmail(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await db.query(FIND_MEMBER_BY_EMAIL([email]));
  return rows[0]?.id;
}
