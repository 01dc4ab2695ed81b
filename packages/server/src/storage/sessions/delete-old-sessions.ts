import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_OLD_SESSIONS = statement({
  text: `WITH links AS (
       DELETE FROM sign_in_links WHERE expires_at < millrace_now() - interval '1 day'
     )
     DELETE FROM console_sessions WHERE expires_at < millrace_now() - interval '1 day'`,
});

/** Sessions and links that ended long ago; the audit log remembers that they were. */
export async function deleteOldSessions(db: Db): Promise<void> {
  await db.query(DELETE_OLD_SESSIONS());
}
