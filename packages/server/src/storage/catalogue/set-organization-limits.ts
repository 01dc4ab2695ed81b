import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface LimitChanges {
  readonly concurrency?: number;
  readonly queue?: number;
  readonly requestsPerMinute?: number;
}

const SET_ORGANIZATION_LIMITS = statement({
  text: `UPDATE organizations SET
       concurrency_limit = coalesce($2, concurrency_limit),
       queue_limit = coalesce($3, queue_limit),
       requests_per_minute = coalesce($4, requests_per_minute),
       updated_at = now()
     WHERE id = $1`,
});

/** What is undefined stays as it is. */
export async function setOrganizationLimits(db: Db, id: string, changes: LimitChanges): Promise<void> {
  await db.query(
    SET_ORGANIZATION_LIMITS([id, changes.concurrency, changes.queue, changes.requestsPerMinute]),
  );
}
