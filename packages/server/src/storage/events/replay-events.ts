import { bigint, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface ReplayRange {
  readonly organizationId: string;
  /** Only at this endpoint. */
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly since: Date;
  readonly until: Date;
  /** Only what was given up. */
  readonly onlyFailed: boolean;
}

export interface ReplayPage {
  readonly replayed: number;
  /** Where the next page begins; missing after the last. */
  readonly next: number | undefined;
}

const BATCHES_A_PAGE = 200;

const REPLAY_EVENTS = statement({
  text: `WITH page AS (
       SELECT b.position FROM event_batches b
        WHERE b.organization_id = $1 AND b.position > $2 AND b.created_at >= $3 AND b.created_at < $4
        ORDER BY b.position LIMIT ${BATCHES_A_PAGE}
     ), again AS (
       INSERT INTO event_deliveries AS d (organization_id, endpoint_id, event_id, state, attempts, next_at, event)
       SELECT v.organization_id, e.id, v.id, 'retrying', 0, millrace_now(),
              json_build_object('id', v.id, 'type', v.type, 'runId', v.run_id, 'at', iso(v.created_at), 'data', v.data)
         FROM events v
         JOIN event_endpoints e ON e.organization_id = v.organization_id AND e.enabled AND event_matches(e.events, v.type)
         JOIN event_feeds f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
        WHERE v.organization_id = $1 AND v.position > $2 AND v.position <= (SELECT max(position) FROM page)
          AND v.created_at >= $3 AND v.created_at < $4 AND v.position <= f.position
          AND ($5::text IS NULL OR e.id = $5) AND ($6::text IS NULL OR v.id = $6)
          AND (NOT $7 OR EXISTS (SELECT FROM event_deliveries k WHERE k.organization_id = v.organization_id AND k.endpoint_id = e.id
                                    AND k.event_id = v.id AND k.state = 'failed'))
       ON CONFLICT (organization_id, endpoint_id, event_id) DO UPDATE SET
         state = 'retrying', attempts = 0, next_at = excluded.next_at, event = excluded.event
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM again) AS replayed, (SELECT max(position) FROM page) AS next,
            (SELECT count(*) FROM page) AS batches`,
  columns: { replayed: bigint, next: orNull(bigint), batches: bigint },
});

/**
 * Puts events up for another round of attempts at the endpoints that ask for them. What an endpoint has not tried yet
 * is left out: it will come by itself.
 */
export async function replayEvents(db: Db, range: ReplayRange, after: number): Promise<ReplayPage> {
  const { rows } = await db.query(
    REPLAY_EVENTS([
      range.organizationId,
      after,
      range.since,
      range.until,
      range.endpointId,
      range.eventId,
      range.onlyFailed,
    ]),
  );
  const { replayed, next, batches } = rows[0]!;
  return { replayed, next: batches < BATCHES_A_PAGE ? undefined : (next ?? undefined) };
}
