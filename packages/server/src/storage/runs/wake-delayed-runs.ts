import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { NOW } from "./ending.ts";

const PAGE = 500;

const WAKE_DELAYED_RUNS = statement({
  text: `WITH due AS (
       SELECT organization_id, id FROM runs
        WHERE status = 'WAITING' AND stage = 'delayed' AND due_at <= ${NOW}
        ORDER BY due_at LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
     )
     UPDATE runs r SET stage = 'queued', updated_at = ${NOW}
       FROM due d WHERE r.organization_id = d.organization_id AND r.id = d.id
     RETURNING r.organization_id`,
  columns: { organization_id: text },
});

/** Delayed runs whose time has come stand in the queue from now on; returns the organizations to dispatch. */
export async function wakeDelayedRuns(db: Db): Promise<string[]> {
  const { rows } = await db.query(WAKE_DELAYED_RUNS());
  return [...new Set(rows.map(({ organization_id }) => organization_id))];
}
