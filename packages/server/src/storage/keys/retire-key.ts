import { timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const RETIRE_KEY = statement({
  text: `UPDATE api_keys SET rotated_to = $2, expires_at = least(expires_at, now() + $3 * interval '1 millisecond')
     WHERE id = $1 RETURNING expires_at`,
  columns: { expires_at: timestamp },
});

/** The key works for another `overlapMs` at most; the moment is the answer. */
export async function retireKey(
  db: Db,
  { id, rotatedTo, overlapMs }: { id: string; rotatedTo: string; overlapMs: number },
): Promise<Date> {
  const { rows } = await db.query(RETIRE_KEY([id, rotatedTo, overlapMs]));
  return rows[0]!.expires_at;
}
