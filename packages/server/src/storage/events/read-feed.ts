import type { DueDelivery, LoggedEvent } from "../../domain/events/feed-queue.ts";
import type { StoredEvent } from "../../domain/events/stored-event.ts";
import { assumed, bigint, integer, json, numeric, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { STORED_EVENT } from "./stored-event.ts";

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

const FIND_FEED_PAGE = statement({
  name: "find-feed-page",
  text: `SELECT max(position) AS "readUpTo" FROM (
             SELECT position FROM event_batches WHERE organization_id = $1 AND position > $2 ORDER BY position LIMIT ${BATCHES_A_PAGE}) AS page`,
  columns: { readUpTo: orNull(bigint) },
});

function feedStatement(name: string, condition = "") {
  return statement({
    name,
    text: `SELECT v.position, ${STORED_EVENT.select} FROM events v
            WHERE v.organization_id = $1 AND v.position > $2 AND v.position <= $3 AND event_matches($4, v.type) ${condition}
            ORDER BY v.position, v.seq, v.ordinal`,
    columns: { position: assumed(bigint), ...STORED_EVENT.columns },
  });
}

const READ_FEED = feedStatement("read-feed");
const READ_FEED_ANEW = feedStatement(
  "read-feed-anew",
  `AND NOT EXISTS (SELECT FROM event_deliveries d WHERE d.organization_id = $1 AND d.endpoint_id = $5 AND d.event_id = v.id)`,
);

/**
 * What comes after a position. `skipTried` leaves out what an earlier holder of the feed has tried already;
 * whoever reads on from its own position need not ask.
 */
export async function readFeed(
  db: Db,
  place: FeedPlace,
  { skipTried }: { skipTried: boolean },
): Promise<FeedPage> {
  const { rows: ends } = await db.query(FIND_FEED_PAGE([place.organizationId, place.position]));
  const { readUpTo } = ends[0]!;
  if (readUpTo === null) return { events: [], readUpTo: place.position };
  const { organizationId, position, patterns, endpointId } = place;
  const { rows } = await db.query(
    skipTried
      ? READ_FEED_ANEW([organizationId, position, readUpTo, patterns, endpointId])
      : READ_FEED([organizationId, position, readUpTo, patterns]),
  );
  return { events: rows, readUpTo };
}

const LIST_DUE_DELIVERIES = statement({
  name: "list-due-deliveries",
  text: `SELECT attempts, event FROM event_deliveries
            WHERE organization_id = $1 AND endpoint_id = $2 AND state = 'retrying' AND next_at <= millrace_now()
            ORDER BY next_at LIMIT ${DUE_A_PAGE}`,
  columns: { attempts: integer, event: assumed(json<Omit<StoredEvent, "at"> & { at: string }>()) },
});

/** Deliveries of one endpoint whose next attempt is due. */
export async function listDueDeliveries(
  db: Db,
  organizationId: string,
  endpointId: string,
): Promise<DueDelivery[]> {
  const { rows } = await db.query(LIST_DUE_DELIVERIES([organizationId, endpointId]));
  return rows.map(({ attempts, event }) => ({ attempts, event: { ...event, at: new Date(event.at) } }));
}

const MS_UNTIL_NEXT_RETRY = statement({
  name: "find-next-retry",
  text: `SELECT extract(epoch FROM min(next_at) - millrace_now()) * 1000 AS ms FROM event_deliveries
            WHERE state = 'retrying' AND next_at > millrace_now()`,
  columns: { ms: orNull(numeric) },
});

/** When the next delivery that is not due yet will be. */
export async function msUntilNextRetry(db: Db): Promise<number | undefined> {
  const { rows } = await db.query(MS_UNTIL_NEXT_RETRY());
  const { ms } = rows[0]!;
  return ms === null ? undefined : Number(ms);
}
