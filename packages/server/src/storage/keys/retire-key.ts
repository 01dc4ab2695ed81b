import type { Db } from "../pool.ts";

/** The key works for another `overlapMs` at most; the moment is the answer. */
export async function retireKey(
  db: Db,
  { id, rotatedTo, overlapMs }: { id: string; rotatedTo: string; overlapMs: number },
): Promise<Date> {
  const { rows } = await db.query(
    `UPDATE api_keys SET rotated_to = $2, expires_at = least(expires_at, now() + $3 * interval '1 millisecond')
     WHERE id = $1 RETURNING expires_at`,
    [id, rotatedTo, overlapMs],
  );
  return rows[0].expires_at;
}
