import type { DueDelivery, LoggedEvent } from "../../domain/events/feed-queue.ts";
import type { StoredEvent } from "../../domain/events/stored-event.ts";
import type { Db } from "../pool.ts";

const BATCHES_A_PAGE = 20;
const DUE_A_PAGE = 50;

export interface FeedPage {
  /** Those the endpoint asked for, in the order of the log. */
  readonly events: readonly LoggedEvent[];
  readonly readUpTo: number;
}

export interface FeedPlace {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly position: number;
  readonly patterns: readonly string[];
}

/**
 * What comes after a position. `skipTried` leaves out what an earlier holder of the feed has tried already;
 * whoever reads on from its own position need not ask.
 */
export async function readFeed(
  db: Db,
  place: FeedPlace,
  { skipTried }: { skipTried: boolean },
): Promise<FeedPage> {
  const { rows: ends } = await db.query({
    name: "find-feed-page",
    text: `SELECT max(position) AS "readUpTo" FROM (
             SELECT position FROM event_batches WHERE organization_id = $1 AND position > $2 ORDER BY position LIMIT ${BATCHES_A_PAGE}) AS page`,
    values: [place.organizationId, place.position],
  });
  const readUpTo: number | null = ends[0].readUpTo;
  if (readUpTo === null) return { events: [], readUpTo: place.position };
  const { rows } = await db.query<LoggedEvent>({
    name: skipTried ? "read-feed-anew" : "read-feed",
    text: `SELECT v.position, v.id, v.type, v.run_id AS "runId", v.data, v.created_at AS at FROM events v
            WHERE v.organization_id = $1 AND v.position > $2 AND v.position <= $3 AND event_matches($4, v.type)
            ${skipTried ? `AND NOT EXISTS (SELECT FROM event_deliveries d WHERE d.organization_id = $1 AND d.endpoint_id = $5 AND d.event_id = v.id)` : ""}
            ORDER BY v.position, v.seq, v.ordinal`,
    values: [
      place.organizationId,
      place.position,
      readUpTo,
      place.patterns,
      ...(skipTried ? [place.endpointId] : []),
    ],
  });
  return { events: rows, readUpTo };
}

/** Deliveries of one endpoint whose next attempt is due. */
export async function listDueDeliveries(
  db: Db,
  organizationId: string,
  endpointId: string,
): Promise<DueDelivery[]> {
  const { rows } = await db.query<{ attempts: number; event: Omit<StoredEvent, "at"> & { at: string } }>({
    name: "list-due-deliveries",
    text: `SELECT attempts, event FROM event_deliveries
            WHERE organization_id = $1 AND endpoint_id = $2 AND state = 'retrying' AND next_at <= millrace_now()
            ORDER BY next_at LIMIT ${DUE_A_PAGE}`,
    values: [organizationId, endpointId],
  });
  return rows.map(({ attempts, event }) => ({ attempts, event: { ...event, at: new Date(event.at) } }));
}

/** When the next delivery that is not due yet will be. */
export async function msUntilNextRetry(db: Db): Promise<number | undefined> {
  const { rows } = await db.query({
    name: "find-next-retry",
    text: `SELECT extract(epoch FROM min(next_at) - millrace_now()) * 1000 AS ms FROM event_deliveries
            WHERE state = 'retrying' AND next_at > millrace_now()`,
  });
  return rows[0].ms === null ? undefined : Number(rows[0].ms);
}
