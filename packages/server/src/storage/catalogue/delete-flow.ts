import { assumed, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_FLOW = statement({
  text: `WITH gone AS (
       UPDATE flows SET deleted_at = now(), updated_at = now() WHERE id = $1 AND deleted_at IS NULL
       RETURNING organization_id, id, deleted_at
     ), webhooks AS (
       DELETE FROM flow_webhooks USING gone
       WHERE flow_webhooks.organization_id = gone.organization_id AND flow_id = gone.id
     ), schedules AS (
       DELETE FROM flow_schedules USING gone
       WHERE flow_schedules.organization_id = gone.organization_id AND flow_id = gone.id
     ), tests AS (
       DELETE FROM flow_tests USING gone
       WHERE flow_tests.organization_id = gone.organization_id AND flow_id = gone.id
     )
     SELECT deleted_at AS "deletedAt" FROM gone`,
  columns: { deletedAt: assumed(timestamp) },
});

/** Its runs keep their versions; its webhook and schedules end with it. Undefined: there is no such flow. */
export async function deleteFlow(db: Db, id: string): Promise<Date | undefined> {
  const { rows } = await db.query(DELETE_FLOW([id]));
  return rows[0]?.deletedAt;
}
