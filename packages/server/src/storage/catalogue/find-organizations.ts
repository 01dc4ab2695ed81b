import type { Db } from "../pool.ts";

/** Which of these organizations exist. */
export async function findOrganizations(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query(`SELECT id FROM organizations WHERE id = ANY ($1::text[])`, [ids]);
  return new Set(rows.map(({ id }) => id));
}
