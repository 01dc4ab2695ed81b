import type { Db } from "../pool.ts";

/** The moment of revocation, the first one where it was revoked before; undefined for an unknown key. */
export async function revokeKey(db: Db, id: string): Promise<Date | undefined> {
  const { rows } = await db.query(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING revoked_at`,
    [id],
  );
  return rows[0]?.revoked_at;
}
