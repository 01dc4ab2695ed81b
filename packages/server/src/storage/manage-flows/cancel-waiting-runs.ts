import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const NOTE_WAITING_RUNS = statement({
  text: `INSERT INTO run_cancellations (organization_id, run_id)
     SELECT organization_id, id FROM runs WHERE organization_id = $1 AND flow_id = $2 AND status IN ('WAITING', 'PAUSED')
     ON CONFLICT DO NOTHING`,
});

/** Notes the runs of a flow that wait or are paused: whoever cancels children cancels them, here or in another process. */
export async function noteWaitingRuns(db: Db, organizationId: string, flowId: string): Promise<void> {
  await db.query(NOTE_WAITING_RUNS([organizationId, flowId]));
}
