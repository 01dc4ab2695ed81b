import { text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_FIRST_OWNER = statement({
  text: `SELECT m.user_id AS "userId" FROM memberships m
       JOIN organizations o ON o.id = m.organization_id JOIN users u ON u.id = m.user_id
      WHERE m.role = 'owner' AND NOT u.disabled AND NOT o.suspended
      ORDER BY o.created_at, o.id, u.created_at, u.id LIMIT 1`,
  columns: { userId: text },
});

/** The first owner of the first organization, of those who may sign in. */
export async function findFirstOwner(db: Db): Promise<string | undefined> {
  const { rows } = await db.query(FIND_FIRST_OWNER());
  return rows[0]?.userId;
}

const INSERT_SIGN_IN_LINK = statement({
  text: `INSERT INTO sign_in_links (hash, user_id, expires_at) VALUES ($1, $2, millrace_now() + interval '10 minutes')
     RETURNING expires_at`,
  columns: { expires_at: timestamp },
});

export async function insertSignInLink(
  db: Db,
  { hash, userId }: { readonly hash: Buffer; readonly userId: string },
): Promise<Date> {
  const { rows } = await db.query(INSERT_SIGN_IN_LINK([hash, userId]));
  return rows[0]!.expires_at;
}

const USE_SIGN_IN_LINK = statement({
  text: `UPDATE sign_in_links SET used_at = millrace_now()
      WHERE hash = $1 AND used_at IS NULL AND expires_at > millrace_now() RETURNING user_id AS "userId"`,
  columns: { userId: text },
});

/** Whom the link stands for, once; undefined for an unknown, used or expired one. */
export async function useSignInLink(db: Db, hash: Buffer): Promise<string | undefined> {
  const { rows } = await db.query(USE_SIGN_IN_LINK([hash]));
  return rows[0]?.userId;
}
