import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface ScheduleRow {
  readonly id: string;
  readonly cron: string;
  readonly timezone: string;
  readonly data: unknown;
  /** Used where the schedule is new or its times change; one that stays keeps its place in time. */
  readonly nextAt: Date | null;
}

const DELETE_OTHER_SCHEDULES = statement({
  text: `DELETE FROM flow_schedules WHERE organization_id = $1 AND flow_id = $2 AND id <> ALL ($3::text[])`,
});

const PUT_SCHEDULE = statement({
  text: `INSERT INTO flow_schedules AS known (organization_id, flow_id, id, cron, timezone, data, ordered_data, next_at)
       VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $6::text::json, $7)
       ON CONFLICT (organization_id, flow_id, id) DO UPDATE SET
         cron = $4, timezone = $5, data = $6::text::jsonb, ordered_data = $6::text::json,
         next_at = CASE WHEN (known.cron, known.timezone) = ($4, $5) THEN known.next_at ELSE $7 END
       WHERE (known.cron, known.timezone, known.data) <> ($4, $5, $6::text::jsonb)
          OR known.ordered_data::text IS DISTINCT FROM $6::text`,
});

/** Makes exactly these the schedules of a flow and says whether that changed anything. */
export async function putSchedules(
  db: Db,
  organizationId: string,
  flowId: string,
  schedules: readonly ScheduleRow[],
): Promise<boolean> {
  const gone = await db.query(
    DELETE_OTHER_SCHEDULES([organizationId, flowId, schedules.map(({ id }) => id)]),
  );
  let changed = gone.rowCount !== 0;
  for (const { id, cron, timezone, data, nextAt } of schedules) {
    const { rowCount } = await db.query(
      PUT_SCHEDULE([organizationId, flowId, id, cron, timezone, JSON.stringify(data), nextAt]),
    );
    changed ||= rowCount !== 0;
  }
  return changed;
}
