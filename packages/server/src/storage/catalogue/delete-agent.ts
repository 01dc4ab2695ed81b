import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_AGENT = statement({
  text: `UPDATE agents SET deleted_at = now(), updated_at = now() WHERE id = $1 AND deleted_at IS NULL`,
});

/** Its sessions stay; no new message reaches it. */
export async function deleteAgent(db: Db, id: string): Promise<void> {
  await db.query(DELETE_AGENT([id]));
}
