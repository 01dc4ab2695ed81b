import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const SET_FLOW_ACTIVE = statement({
  text: `UPDATE flows SET active = $2, updated_at = CASE WHEN active = $2 THEN updated_at ELSE now() END
     WHERE id = $1 AND deleted_at IS NULL`,
});

/** False: there is no such flow. */
export async function setFlowActive(db: Db, id: string, active: boolean): Promise<boolean> {
  const { rowCount } = await db.query(SET_FLOW_ACTIVE([id, active]));
  return rowCount !== 0;
}
