import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_SUSPENSION = statement({
  text: `SELECT suspended FROM organizations WHERE id = $1`,
  columns: { suspended: boolean },
});

/** Whether the organization is suspended; undefined where there is none of that id. */
export async function findSuspension(db: Db, organizationId: string): Promise<boolean | undefined> {
  const { rows } = await db.query(FIND_SUSPENSION([organizationId]));
  return rows[0]?.suspended;
}
