import { orNull, text } from "../columns.ts";
import { type Db, type Pool, transaction } from "../pool.ts";
import { statement } from "../statement.ts";

const LIMIT_TIME = statement({
  text: `SELECT set_config('statement_timeout', $1, true) AS "limit", set_config('max_parallel_workers_per_gather', '0', true) AS workers`,
  columns: { limit: orNull(text), workers: orNull(text) },
});

const MAX_MS = 3_000;

/** For questions whose answer is not worth more than this, and no processor beside its own. */
export async function withTimeLimit<T>(pool: Pool, read: (db: Db) => Promise<T>): Promise<T> {
  return transaction(pool, async (db) => {
    await db.query(LIMIT_TIME([String(MAX_MS)]));
    return read(db);
  });
}
