import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const PAGE = 1_000;

const DELETE_OLD_BATCHES = statement({
  text: `DELETE FROM event_batches b USING (
       SELECT organization_id, number FROM event_batches WHERE created_at < millrace_now() - $1 * interval '1 day' LIMIT ${PAGE}) AS old
      WHERE b.organization_id = old.organization_id AND b.number = old.number`,
});

const DELETE_OLD_DELIVERIES = statement({
  text: `DELETE FROM event_deliveries d USING (
       SELECT organization_id, endpoint_id, event_id FROM event_deliveries
        WHERE created_at < millrace_now() - $1 * interval '1 day' AND state <> 'retrying' LIMIT ${PAGE}) AS old
      WHERE d.organization_id = old.organization_id AND d.endpoint_id = old.endpoint_id AND d.event_id = old.event_id`,
});

/** One page of events and finished deliveries older than this; how many rows went. */
export async function deleteOldEvents(db: Db, days: number): Promise<number> {
  const { rowCount: batches } = await db.query(DELETE_OLD_BATCHES([days]));
  const { rowCount: deliveries } = await db.query(DELETE_OLD_DELIVERIES([days]));
  return (batches ?? 0) + (deliveries ?? 0);
}
