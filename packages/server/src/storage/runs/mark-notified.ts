import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const MARK_NOTIFIED = statement({
  text: `UPDATE run_waits SET notified_at = millrace_now()
     WHERE organization_id = $1 AND run_id = $2 AND node_key = $3 AND attempt = $4 AND notified_at IS NULL`,
});

/** Somebody was told of it: that has happened, whoever executes the run now. */
export async function markNotified(
  db: Db,
  wait: {
    readonly organizationId: string;
    readonly runId: string;
    readonly nodeKey: string;
    readonly attempt: number;
  },
): Promise<void> {
  await db.query(MARK_NOTIFIED([wait.organizationId, wait.runId, wait.nodeKey, wait.attempt]));
}
