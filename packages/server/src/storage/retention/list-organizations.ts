import type { Db } from "../pool.ts";

export async function listOrganizationsToTidy(db: Db): Promise<{ id: string; creditsLimited: boolean }[]> {
  const { rows } = await db.query(
    `SELECT id, credits_limited AS "creditsLimited" FROM organizations ORDER BY id`,
  );
  return rows;
}
