import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_ORGANIZATIONS = statement({
  text: `SELECT id FROM organizations WHERE id = ANY ($1::text[])`,
  columns: { id: text },
});

/** Which of these organizations exist. */
export async function findOrganizations(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query(FIND_ORGANIZATIONS([ids]));
  return new Set(rows.map(({ id }) => id));
}
