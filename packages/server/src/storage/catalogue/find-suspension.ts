import type { Db } from "../pool.ts";

/** Whether the organization is suspended; undefined where there is none of that id. */
export async function findSuspension(db: Db, organizationId: string): Promise<boolean | undefined> {
  const { rows } = await db.query<{ suspended: boolean }>(
    `SELECT suspended FROM organizations WHERE id = $1`,
    [organizationId],
  );
  return rows[0]?.suspended;
}
