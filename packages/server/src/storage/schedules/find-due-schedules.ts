import { assumed, json, text, timestamp } from "../columns.ts";
import { inDocumentOrder } from "../key-order.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_DUE_SCHEDULES = statement({
  text: `SELECT organization_id AS "organizationId", flow_id AS "flowId", id, cron, timezone, ${inDocumentOrder("data")}, next_at AS "dueAt"
       FROM flow_schedules WHERE next_at <= millrace_now() AND NOT paused ORDER BY next_at LIMIT 100`,
  columns: {
    organizationId: text,
    flowId: text,
    id: text,
    cron: text,
    timezone: text,
    data: assumed(json<Readonly<Record<string, unknown>>>()),
    dueAt: assumed(timestamp),
  },
});

export type DueSchedule = Row<typeof FIND_DUE_SCHEDULES>;

export async function findDueSchedules(db: Db): Promise<DueSchedule[]> {
  const { rows } = await db.query(FIND_DUE_SCHEDULES());
  return rows;
}

const ADVANCE_SCHEDULE = statement({
  text: `UPDATE flow_schedules SET next_at = $5 WHERE organization_id = $1 AND flow_id = $2 AND id = $3 AND next_at = $4`,
});

/** Moves a schedule on, unless somebody has done so already. */
export async function advanceSchedule(
  db: Db,
  { organizationId, flowId, id, dueAt }: DueSchedule,
  nextAt: Date | null,
): Promise<void> {
  await db.query(ADVANCE_SCHEDULE([organizationId, flowId, id, dueAt, nextAt]));
}
