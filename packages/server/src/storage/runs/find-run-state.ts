import type { Db } from "../pool.ts";

export interface RunState {
  readonly flowId: string;
  readonly status: string;
  readonly answeredQueued: boolean;
  /** Still a queue item and not yet a run. */
  readonly inQueue: boolean;
}

export async function findRunState(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<RunState | undefined> {
  const { rows } = await db.query<RunState>(
    `SELECT flow_id AS "flowId", status, answered_queued AS "answeredQueued",
            answered_queued AND status = 'WAITING' AND started_at IS NULL AS "inQueue"
       FROM runs WHERE organization_id = $1 AND id = $2`,
    [organizationId, runId],
  );
  return rows[0];
}
