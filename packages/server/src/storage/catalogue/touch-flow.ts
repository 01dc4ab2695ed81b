import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const TOUCH_FLOW = statement({
  text: `UPDATE flows SET updated_at = now() WHERE organization_id = $1 AND id = $2`,
});

/** For changes in what belongs to a flow but is kept beside it. */
export async function touchFlow(db: Db, organizationId: string, id: string): Promise<void> {
  await db.query(TOUCH_FLOW([organizationId, id]));
}
