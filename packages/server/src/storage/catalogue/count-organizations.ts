import type { Db } from "../pool.ts";

export async function countOrganizations(db: Db): Promise<number> {
  const { rows } = await db.query(`SELECT count(*) AS count FROM organizations`);
  return rows[0].count;
}
