import { assumed, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const REVOKE_SHARE = statement({
  text: `UPDATE run_shares SET revoked_at = coalesce(revoked_at, millrace_now())
      WHERE organization_id = $1 AND run_id = $2 AND id = $3 RETURNING revoked_at AS "revokedAt"`,
  columns: { revokedAt: assumed(timestamp) },
});

/** Since when the link shows nothing; undefined where the run has no such link. */
export async function revokeShare(
  db: Db,
  organizationId: string,
  runId: string,
  shareId: string,
): Promise<Date | undefined> {
  const { rows } = await db.query(REVOKE_SHARE([organizationId, runId, shareId]));
  return rows[0]?.revokedAt;
}
