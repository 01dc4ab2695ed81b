import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const TOUCH_SESSIONS = statement({
  text: `UPDATE console_sessions s SET last_seen_at = used.at
       FROM unnest($1::text[], $2::timestamptz[]) AS used(id, at)
      WHERE s.id = used.id AND s.last_seen_at < used.at`,
});

/** Remembers when sessions were last used; one statement for all of them, never one a request. */
export async function touchSessions(db: Db, usedAt: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(TOUCH_SESSIONS([[...usedAt.keys()], [...usedAt.values()]]));
}
