import { timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface NewShare {
  readonly organizationId: string;
  readonly id: string;
  readonly runId: string;
  readonly tokenHash: Buffer;
  readonly reveal: readonly string[];
  readonly createdBy: string;
  readonly lifetimeMs: number;
}

const KEPT_AFTER_END = `interval '30 days'`;

// Links that ended long ago go when new ones come, so that nobody has to sweep.
const INSERT_SHARE = statement({
  text: `WITH old AS (
       DELETE FROM run_shares WHERE (organization_id, run_id, id) IN (
         SELECT organization_id, run_id, id FROM run_shares
          WHERE organization_id = $1 AND expires_at < millrace_now() - ${KEPT_AFTER_END} LIMIT 100)
     )
     INSERT INTO run_shares (organization_id, id, run_id, token_hash, reveal, created_by, created_at, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, millrace_now(), millrace_now() + $7 * interval '1 millisecond'
      WHERE (SELECT count(*) FROM run_shares
              WHERE organization_id = $1 AND run_id = $3 AND revoked_at IS NULL AND expires_at > millrace_now()) < $8
     RETURNING expires_at AS "expiresAt"`,
  columns: { expiresAt: timestamp },
});

/** When it ends; undefined where the run has as many links as it may have. */
export async function insertShare(db: Db, share: NewShare, most: number): Promise<Date | undefined> {
  const { rows } = await db.query(
    INSERT_SHARE([
      share.organizationId,
      share.id,
      share.runId,
      share.tokenHash,
      share.reveal,
      share.createdBy,
      share.lifetimeMs,
      most,
    ]),
  );
  return rows[0]?.expiresAt;
}
