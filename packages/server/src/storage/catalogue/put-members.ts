import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
}

const PUT_USERS = statement({
  text: `INSERT INTO users AS known (id, email, name, disabled)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
     ON CONFLICT (id) DO UPDATE SET email = excluded.email, name = excluded.name, disabled = excluded.disabled
     WHERE (known.email, known.name, known.disabled) <> (excluded.email, excluded.name, excluded.disabled)`,
});

const PUT_ROLES = statement({
  text: `INSERT INTO memberships AS known (organization_id, user_id, role)
     SELECT $1, * FROM unnest($2::text[], $3::text[])
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role WHERE known.role <> excluded.role`,
});

const DELETE_OTHER_MEMBERS = statement({
  text: `DELETE FROM memberships WHERE organization_id = $1 AND user_id <> ALL ($2::text[])`,
});

/** Makes exactly these the members and says whether that changed anything. Users outlive their memberships. */
export async function putMembers(
  db: Db,
  organizationId: string,
  members: readonly MemberRow[],
): Promise<boolean> {
  const ids = members.map(({ id }) => id);
  const people = await db.query(
    PUT_USERS([
      ids,
      members.map(({ email }) => email),
      members.map(({ name }) => name),
      members.map(({ disabled }) => disabled),
    ]),
  );
  const roles = await db.query(PUT_ROLES([organizationId, ids, members.map(({ role }) => role)]));
  const gone = await db.query(DELETE_OTHER_MEMBERS([organizationId, ids]));
  return [people, roles, gone].some(({ rowCount }) => rowCount !== 0);
}
