import { boolean, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_SHARED_PEOPLE = statement({
  text: `SELECT u.id, u.email, u.name, u.disabled FROM users u
      WHERE u.id = ANY ($2::text[])
        AND EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.organization_id <> $1)`,
  columns: { id: text, email: text, name: text, disabled: boolean },
});

export type SharedPerson = Row<typeof LIST_SHARED_PEOPLE>;

/** Which of these people other organizations know too, by id. */
export async function listSharedPeople(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SharedPerson>> {
  const { rows } = await db.query(LIST_SHARED_PEOPLE([organizationId, ids]));
  return new Map(rows.map((person) => [person.id, person]));
}
