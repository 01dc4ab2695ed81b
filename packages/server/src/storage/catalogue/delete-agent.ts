import type { Db } from "../pool.ts";

/** Its sessions stay; no new message reaches it. */
export async function deleteAgent(db: Db, id: string): Promise<void> {
  await db.query(
    `UPDATE agents SET deleted_at = now(), updated_at = now() WHERE id = $1 AND deleted_at IS NULL`,
    [id],
  );
}
