import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

interface NotedRun {
  readonly organizationId: string;
  readonly runId: string;
}

const FORGET_FAILURE = statement({
  text: `DELETE FROM run_failures WHERE organization_id = $1 AND run_id = $2`,
});

/** It was taken care of, or cannot be. */
export async function forgetFailure(db: Db, { organizationId, runId }: NotedRun): Promise<void> {
  await db.query(FORGET_FAILURE([organizationId, runId]));
}

const POSTPONE_FAILURE = statement({
  text: `UPDATE run_failures SET next_at = millrace_now() + $3 * interval '1 millisecond' WHERE organization_id = $1 AND run_id = $2`,
});

export async function postponeFailure(
  db: Db,
  { organizationId, runId }: NotedRun,
  delayMs: number,
): Promise<void> {
  await db.query(POSTPONE_FAILURE([organizationId, runId, delayMs]));
}
