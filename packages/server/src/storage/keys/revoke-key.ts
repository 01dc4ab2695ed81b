import { assumed, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const REVOKE_KEY = statement({
  text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING revoked_at`,
  columns: { revoked_at: assumed(timestamp) },
});

/** The moment of revocation, the first one where it was revoked before; undefined for an unknown key. */
export async function revokeKey(db: Db, id: string): Promise<Date | undefined> {
  const { rows } = await db.query(REVOKE_KEY([id]));
  return rows[0]?.revoked_at;
}
