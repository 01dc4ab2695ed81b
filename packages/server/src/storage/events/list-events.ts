import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type RowOf, statement } from "../statement.ts";
import { STORED_EVENT } from "./stored-event.ts";

const EVENT = {
  select: `v.organization_id AS "organizationId", ${STORED_EVENT.select}`,
  columns: { organizationId: text, ...STORED_EVENT.columns },
};

export type EventRecord = RowOf<typeof EVENT.columns>;

export interface EventFilter {
  readonly organizationId?: string;
  readonly type?: string;
  readonly since: Date;
  readonly most: number;
}

const LIST_EVENTS = statement({
  text: `SELECT ${EVENT.select} FROM events v
      WHERE ($1::text IS NULL OR v.organization_id = $1) AND ($2::text IS NULL OR event_matches(ARRAY[$2], v.type)) AND v.created_at >= $3
      ORDER BY v.created_at DESC, v.position DESC, v.seq DESC, v.ordinal DESC LIMIT $4`,
  columns: EVENT.columns,
});

/** Newest first. */
export async function listEvents(
  db: Db,
  { organizationId, type, since, most }: EventFilter,
): Promise<EventRecord[]> {
  const { rows } = await db.query(LIST_EVENTS([organizationId, type, since, most]));
  return rows;
}

const FIND_EVENT = statement({
  text: `SELECT ${EVENT.select} FROM events v
      WHERE v.id = $1 AND v.created_at >= $3
        AND v.created_at <= coalesce((SELECT r.updated_at + interval '1 minute' FROM runs r WHERE r.id = $2 LIMIT 1), $4) LIMIT 1`,
  columns: EVENT.columns,
});

/** An event by its id, looked for in the time in which it can have happened. */
export async function findEvent(
  db: Db,
  { id, runId, from, to }: { id: string; runId: string | undefined; from: Date; to: Date },
): Promise<EventRecord | undefined> {
  const { rows } = await db.query(FIND_EVENT([id, runId, from, to]));
  return rows[0];
}
