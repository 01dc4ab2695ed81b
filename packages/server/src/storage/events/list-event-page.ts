import { bigint, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

/** Of what is written together. */
const MAX_BATCHES = 1_000;
/** Events are numbered by the place of their batch and the place in it; no batch holds more. */
const BATCH = 100_000;

// Along the log, newest first, and never further than some batches: a filter that fits nothing must not read all of it.
const LIST_EVENT_PAGE = statement({
  text: `WITH page AS MATERIALIZED (
       SELECT b.position FROM event_batches b
        WHERE b.organization_id = $1 AND b.position <= coalesce($4::bigint / ${BATCH}, 9223372036854775807)
        ORDER BY b.organization_id, b.position DESC LIMIT ${MAX_BATCHES}
     ), ends AS MATERIALIZED (
       SELECT min(position) AS lowest, max(position) AS highest, count(*) AS batches FROM page
     )
     SELECT v.id, v.type, v.run_id AS "runId", v.created_at AS at, v.position * ${BATCH} + v.ordinal AS place,
            e.lowest * ${BATCH} AS lowest, e.batches
       FROM ends e LEFT JOIN events v
         ON v.organization_id = $1 AND v.position >= e.lowest AND v.position <= e.highest
        AND v.position * ${BATCH} + v.ordinal < coalesce($4::bigint, 9223372036854775807)
        AND ($2::text IS NULL OR event_matches(ARRAY[$2], v.type)) AND ($3::timestamptz IS NULL OR v.created_at >= $3)
      ORDER BY place DESC NULLS LAST LIMIT $5`,
  columns: {
    id: orNull(text),
    type: orNull(text),
    runId: orNull(text),
    at: orNull(timestamp),
    place: orNull(bigint),
    lowest: orNull(bigint),
    batches: bigint,
  },
});

type PageRow = Row<typeof LIST_EVENT_PAGE>;

export interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly runId: string | null;
  readonly at: Date;
}

interface EventPageFilter {
  readonly organizationId: string;
  readonly type: string | undefined;
  readonly since: Date | undefined;
  /** From here on back. */
  readonly below: number | undefined;
  readonly size: number;
}

/** `next`: from where the list goes on. */
export async function listEventPage(
  db: Db,
  { organizationId, type, since, below, size }: EventPageFilter,
): Promise<{ events: ListedEvent[]; next: number | undefined }> {
  const { rows } = await db.query(LIST_EVENT_PAGE([organizationId, type, since, below, size + 1]));
  const found = rows.filter((row): row is PageRow & ListedEvent => row.id !== null);
  const events = found.slice(0, size).map(({ id, type: kind, runId, at }) => ({ id, type: kind, runId, at }));
  if (found.length > size) return { events, next: found[size - 1]!.place! };
  const { lowest, batches } = rows[0]!;
  return { events, next: batches === MAX_BATCHES && lowest !== null ? lowest : undefined };
}
