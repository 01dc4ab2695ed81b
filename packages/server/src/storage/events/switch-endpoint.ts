import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const SWITCH_ENDPOINT = statement({
  text: `WITH switched AS (
       UPDATE event_endpoints e SET enabled = $3, disabled_at = CASE WHEN $3 THEN NULL ELSE millrace_now() END,
              disabled_reason = CASE WHEN $3 THEN NULL ELSE 'operator' END
        WHERE e.organization_id = $1 AND e.id = $2 AND e.enabled <> $3 RETURNING e.*
     ), moved AS (
       UPDATE event_feeds f SET failing_since = NULL, failures_in_row = 0, position = greatest(f.position, coalesce((
                SELECT b.position FROM event_batches b
                 WHERE b.organization_id = s.organization_id AND b.position IS NOT NULL ORDER BY b.position DESC LIMIT 1), 0))
         FROM switched s WHERE $3 AND f.organization_id = s.organization_id AND f.endpoint_id = s.id
     )
     SELECT FROM switched`,
});

/**
 * Enables or disables an endpoint; false where it was so already. One that is enabled again begins with what happens from
 * now on: what it missed is sent only when somebody asks for it.
 */
export async function switchEndpoint(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  enabled: boolean,
): Promise<boolean> {
  const { rows } = await db.query(SWITCH_ENDPOINT([organizationId, id, enabled]));
  return rows.length === 1;
}
