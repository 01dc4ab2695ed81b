import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DETACH_FLOW = statement({
  text: `UPDATE flows SET managed_by = 'console', updated_at = now()
     WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL AND managed_by <> 'console'`,
});

/** False: it was detached before, or is gone. */
export async function detachFlow(db: Db, organizationId: string, flowId: string): Promise<boolean> {
  const { rowCount } = await db.query(DETACH_FLOW([organizationId, flowId]));
  return rowCount !== 0;
}
