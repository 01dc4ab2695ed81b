import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const END_SESSION = statement({
  text: `UPDATE console_sessions s SET ended_at = millrace_now()
      WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > millrace_now()
        AND (s.user_id = $2 OR $2 IS NULL OR EXISTS (
          SELECT FROM memberships m LEFT JOIN api_keys k ON k.id = s.key_id
           WHERE m.user_id = s.user_id AND m.organization_id = ANY($3::text[])
             AND (k.organization_id IS NULL OR k.organization_id = m.organization_id)))
     RETURNING s.user_id AS "userId"`,
  columns: { userId: text },
});

/** Ends a session of this user, or of somebody who reaches one of these organizations; null ends anybody's. */
export async function endSession(
  db: Db,
  id: string,
  of: { readonly userId: string | null; readonly organizationIds: readonly string[] },
): Promise<{ readonly userId: string } | undefined> {
  const { rows } = await db.query(END_SESSION([id, of.userId, of.organizationIds]));
  return rows[0];
}
