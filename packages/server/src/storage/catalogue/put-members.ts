import type { Db } from "../pool.ts";

export interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
}

/** Makes exactly these the members and says whether that changed anything. Users outlive their memberships. */
export async function putMembers(
  db: Db,
  organizationId: string,
  members: readonly MemberRow[],
): Promise<boolean> {
  const ids = members.map(({ id }) => id);
  const people = await db.query(
    `INSERT INTO users AS known (id, email, name, disabled)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
     ON CONFLICT (id) DO UPDATE SET email = excluded.email, name = excluded.name, disabled = excluded.disabled
     WHERE (known.email, known.name, known.disabled) <> (excluded.email, excluded.name, excluded.disabled)`,
    [
      ids,
      members.map(({ email }) => email),
      members.map(({ name }) => name),
      members.map(({ disabled }) => disabled),
    ],
  );
  const roles = await db.query(
    `INSERT INTO memberships AS known (organization_id, user_id, role)
     SELECT $1, * FROM unnest($2::text[], $3::text[])
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role WHERE known.role <> excluded.role`,
    [organizationId, ids, members.map(({ role }) => role)],
  );
  const gone = await db.query(
    `DELETE FROM memberships WHERE organization_id = $1 AND user_id <> ALL ($2::text[])`,
    [organizationId, ids],
  );
  return [people, roles, gone].some(({ rowCount }) => rowCount !== 0);
}
