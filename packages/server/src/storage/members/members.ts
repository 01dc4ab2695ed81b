import { bigint, boolean, oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type RowOf, statement } from "../statement.ts";

const MEMBER = {
  select: `u.id, u.email, u.name, u.disabled, m.role`,
  columns: {
    id: text,
    email: text,
    name: text,
    disabled: boolean,
    role: oneOf("owner", "admin", "member", "viewer"),
  },
};

export type MemberRecord = RowOf<typeof MEMBER.columns>;

const LIST_MEMBERS = statement({
  text: `SELECT ${MEMBER.select} FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND ($2::text IS NULL OR u.id = $2) ORDER BY u.id LIMIT 10000`,
  columns: MEMBER.columns,
});

/** Those of an organization, or the one that is named. */
export async function listMembers(db: Db, organizationId: string, userId?: string): Promise<MemberRecord[]> {
  const { rows } = await db.query(LIST_MEMBERS([organizationId, userId]));
  return rows;
}

const LOCK_OWNERS = statement({
  text: `SELECT m.user_id AS id FROM memberships m WHERE m.organization_id = $1 AND m.role = 'owner' ORDER BY m.user_id FOR UPDATE`,
  columns: { id: text },
});

/** Held until the transaction ends, so that two who leave at once do not both find another owner. */
export async function lockOwners(db: Db, organizationId: string): Promise<string[]> {
  const { rows } = await db.query(LOCK_OWNERS([organizationId]));
  return rows.map(({ id }) => id);
}

const ADD_USER = statement({
  text: `WITH added AS (
       INSERT INTO users (id, email, name)
       SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM users u WHERE lower(u.email) = lower($2)) ON CONFLICT DO NOTHING RETURNING id
     )
     SELECT count(*) AS count FROM (
       SELECT id FROM added UNION ALL SELECT id FROM users WHERE id = $1 AND lower(email) = lower($2)
     ) same`,
  columns: { count: bigint },
});

/** False where another user has this id, or this address, which decides who may sign in. One that exists is not changed: other organizations know them too. */
export async function addUser(
  db: Db,
  { id, email, name }: { readonly id: string; readonly email: string; readonly name: string },
): Promise<boolean> {
  const { rows } = await db.query(ADD_USER([id, email, name]));
  return rows[0]!.count > 0;
}

const ADD_MEMBERSHIP = statement({
  text: `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
});

/** False for somebody who is a member already. */
export async function addMembership(
  db: Db,
  organizationId: string,
  userId: string,
  role: string,
): Promise<boolean> {
  const { rowCount } = await db.query(ADD_MEMBERSHIP([organizationId, userId, role]));
  return rowCount !== 0;
}

const SET_ROLE = statement({
  text: `UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2`,
});

export async function setRole(db: Db, organizationId: string, userId: string, role: string): Promise<void> {
  await db.query(SET_ROLE([organizationId, userId, role]));
}

const REMOVE_MEMBERSHIP = statement({
  text: `DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2`,
});

export async function removeMembership(db: Db, organizationId: string, userId: string): Promise<void> {
  await db.query(REMOVE_MEMBERSHIP([organizationId, userId]));
}
