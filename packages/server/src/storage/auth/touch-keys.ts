import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const TOUCH_KEYS = statement({
  text: `UPDATE api_keys k SET last_used_at = used.at
       FROM unnest($1::text[], $2::timestamptz[]) AS used(id, at)
      WHERE k.id = used.id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`,
});

/** Remembers when keys were last used; one statement for all of them, never one a request. */
export async function touchKeys(db: Db, usedAt: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(TOUCH_KEYS([[...usedAt.keys()], [...usedAt.values()]]));
}
