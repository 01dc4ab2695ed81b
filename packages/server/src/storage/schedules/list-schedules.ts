import type { PageRequest } from "../../domain/cursor.ts";
import { assumed, boolean, json, orNull, text, timestamp } from "../columns.ts";
import { inDocumentOrder } from "../key-order.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import { type RowOf, statement } from "../statement.ts";

/** Of the newest flow first. `id` is a name of flow and schedule together that a cursor can hold. */
const SCHEDULE = {
  select: `md5(s.flow_id || ' ' || s.id) AS id, s.id AS "scheduleId", s.flow_id AS "flowId", s.organization_id AS "organizationId",
    s.cron, s.timezone, ${inDocumentOrder("data", "s.")}, s.paused, f.active, f.version, s.next_at AS "nextAt", f.created_at AS "createdAt"`,
  from: `flow_schedules s JOIN flows f ON f.organization_id = s.organization_id AND f.id = s.flow_id AND f.deleted_at IS NULL`,
  columns: {
    id: assumed(text),
    scheduleId: text,
    flowId: text,
    organizationId: text,
    cron: text,
    timezone: text,
    data: assumed(json<Readonly<Record<string, unknown>>>()),
    paused: boolean,
    /** The flow's. */
    active: boolean,
    version: orNull(text),
    nextAt: orNull(timestamp),
    createdAt: timestamp,
  },
};

export type ScheduleRecord = RowOf<typeof SCHEDULE.columns>;

const LIST_SCHEDULES = keysetList({
  text: `SELECT * FROM (SELECT ${SCHEDULE.select}, f.created_at FROM ${SCHEDULE.from} WHERE s.organization_id = $1) AS listed WHERE true`,
  columns: { ...SCHEDULE.columns, created_at: timestamp },
});

export async function listSchedules(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<ScheduleRecord[]> {
  const { rows } = await db.query(LIST_SCHEDULES(organizationId, page));
  return rows;
}

const FIND_SCHEDULE = statement({
  text: `SELECT ${SCHEDULE.select} FROM ${SCHEDULE.from} WHERE s.organization_id = $1 AND s.flow_id = $2 AND s.id = $3`,
  columns: SCHEDULE.columns,
});

export async function findSchedule(
  db: Db,
  organizationId: string,
  flowId: string,
  scheduleId: string,
): Promise<ScheduleRecord | undefined> {
  const { rows } = await db.query(FIND_SCHEDULE([organizationId, flowId, scheduleId]));
  return rows[0];
}

const PAUSE_SCHEDULE = statement({
  text: `UPDATE flow_schedules SET paused = $4, next_at = coalesce($5, next_at)
     WHERE organization_id = $1 AND flow_id = $2 AND id = $3 AND paused <> $4`,
});

/** `nextAt`: where it goes on. False: it was so already. */
export async function pauseSchedule(
  db: Db,
  { organizationId, flowId, scheduleId }: Pick<ScheduleRecord, "organizationId" | "flowId" | "scheduleId">,
  paused: boolean,
  nextAt: Date | null,
): Promise<boolean> {
  const { rowCount } = await db.query(PAUSE_SCHEDULE([organizationId, flowId, scheduleId, paused, nextAt]));
  return rowCount !== 0;
}
