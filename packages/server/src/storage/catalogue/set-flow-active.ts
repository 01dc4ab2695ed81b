import type { Db } from "../pool.ts";

/** False: there is no such flow. */
export async function setFlowActive(db: Db, id: string, active: boolean): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE flows SET active = $2, updated_at = CASE WHEN active = $2 THEN updated_at ELSE now() END
     WHERE id = $1 AND deleted_at IS NULL`,
    [id, active],
  );
  return rowCount !== 0;
}
