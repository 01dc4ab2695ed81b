import { inDocumentOrder } from "../key-order.ts";
import type { Db } from "../pool.ts";

export interface DueSchedule {
  readonly organizationId: string;
  readonly flowId: string;
  readonly id: string;
  readonly cron: string;
  readonly timezone: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly dueAt: Date;
}

export async function findDueSchedules(db: Db): Promise<DueSchedule[]> {
  const { rows } = await db.query<DueSchedule>(
    `SELECT organization_id AS "organizationId", flow_id AS "flowId", id, cron, timezone, ${inDocumentOrder("data")}, next_at AS "dueAt"
       FROM flow_schedules WHERE next_at <= millrace_now() ORDER BY next_at LIMIT 100`,
  );
  return rows;
}

/** Moves a schedule on, unless somebody has done so already. */
export async function advanceSchedule(
  db: Db,
  { organizationId, flowId, id, dueAt }: DueSchedule,
  nextAt: Date | null,
): Promise<void> {
  await db.query(
    `UPDATE flow_schedules SET next_at = $5 WHERE organization_id = $1 AND flow_id = $2 AND id = $3 AND next_at = $4`,
    [organizationId, flowId, id, dueAt, nextAt],
  );
}
