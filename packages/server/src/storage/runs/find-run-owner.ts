import type { Db } from "../pool.ts";

/** Which of these organizations has the run, and how it stands. */
export async function findRunOwner(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<{ organizationId: string; status: string } | undefined> {
  const { rows } = await db.query(
    `SELECT organization_id AS "organizationId", status FROM runs WHERE organization_id = ANY($1) AND id = $2`,
    [organizationIds, runId],
  );
  return rows[0];
}
