import type { SharedRoom } from "../../domain/fair-share.ts";
import { bigint, boolean, integer, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { FEED_SETTINGS, type FeedSettings, LAZILY, LEASE } from "./feed-settings.ts";

export interface ClaimedFeed {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly position: number;
  readonly failuresInRow: number;
  /** It has received something before. */
  readonly proven: boolean;
  readonly settings: FeedSettings;
}

const CLAIM_FEEDS = statement({
  name: "claim-feeds",
  text: `
WITH ready AS (
  SELECT f.organization_id, f.endpoint_id,
         row_number() OVER (PARTITION BY f.organization_id ORDER BY f.last_success_at DESC NULLS LAST) AS nth,
         coalesce(h.room, $2) AS room
    FROM event_feeds f
    JOIN event_endpoints e ON e.organization_id = f.organization_id AND e.id = f.endpoint_id AND e.enabled
    LEFT JOIN unnest($4::text[], $5::integer[]) AS h(organization_id, room) ON h.organization_id = f.organization_id
   WHERE coalesce(h.room, 1) > 0 AND (f.held_until IS NULL OR f.held_until < millrace_now())
     AND (EXISTS (SELECT FROM event_batches b WHERE b.organization_id = f.organization_id AND b.position > f.position)
       OR EXISTS (SELECT FROM event_deliveries d WHERE d.organization_id = f.organization_id AND d.endpoint_id = f.endpoint_id
                     AND d.state = 'retrying' AND d.next_at <= millrace_now()))
), due AS (
  SELECT f.organization_id, f.endpoint_id FROM ready r
    JOIN event_feeds f ON f.organization_id = r.organization_id AND f.endpoint_id = r.endpoint_id
   WHERE r.nth <= least(r.room, greatest(1, $3 * $2 / (1 + $3 * (SELECT count(DISTINCT organization_id) FROM ready))))
     AND (f.held_until IS NULL OR f.held_until < millrace_now())
   ORDER BY r.nth, f.last_success_at DESC NULLS LAST LIMIT $2 FOR UPDATE OF f SKIP LOCKED
), held AS (
  UPDATE event_feeds f SET held_by = $1, held_until = millrace_now() + ${LEASE}
    FROM due d WHERE f.organization_id = d.organization_id AND f.endpoint_id = d.endpoint_id
  RETURNING f.*
)
SELECT f.organization_id AS "organizationId", f.endpoint_id AS "endpointId", f.position, f.failures_in_row AS "failuresInRow",
       f.last_success_at IS NOT NULL AS proven, ${FEED_SETTINGS.select}
  FROM held f JOIN event_endpoints e ON e.organization_id = f.organization_id AND e.id = f.endpoint_id WHERE ${LAZILY}`,
  columns: {
    organizationId: text,
    endpointId: text,
    position: bigint,
    failuresInRow: integer,
    /** It has received something before. */
    proven: boolean,
    ...FEED_SETTINGS.columns,
  },
});

/**
 * Takes feeds that have something to deliver and that nobody holds, for a process with `most` places left: each organization
 * gets the same share, no more than it has room for, and some are left for those that come next.
 */
export async function claimFeeds(
  db: Db,
  processId: string,
  most: number,
  room: SharedRoom,
): Promise<ClaimedFeed[]> {
  const { rows } = await db.query(
    CLAIM_FEEDS([processId, most, room.greed, room.organizationIds, room.rooms]),
  );
  return rows.map(({ url, patterns, secretCiphertext, previousSecretCiphertext, ...feed }) => ({
    ...feed,
    settings: { url, patterns, secretCiphertext, previousSecretCiphertext },
  }));
}

const OPEN_FEEDS = statement({
  name: "open-feeds",
  text: `
WITH opened AS (
INSERT INTO event_feeds (organization_id, endpoint_id, position)
SELECT e.organization_id, e.id, coalesce((
         SELECT b.position FROM event_batches b
          WHERE b.organization_id = e.organization_id AND b.position IS NOT NULL AND b.created_at < e.created_at
          ORDER BY b.position DESC LIMIT 1), 0)
  FROM event_endpoints e
 WHERE e.enabled AND NOT EXISTS (SELECT FROM event_feeds f WHERE f.organization_id = e.organization_id AND f.endpoint_id = e.id)
ON CONFLICT DO NOTHING
)
SELECT EXISTS (SELECT FROM event_endpoints WHERE enabled) AS listening`,
  columns: { listening: boolean },
});

/** Endpoints that are new begin at the events after their own beginning. True where there is any endpoint. */
export async function openFeeds(db: Db): Promise<boolean> {
  const { rows } = await db.query(OPEN_FEEDS());
  return rows[0]!.listening;
}

const RELEASE_FEED = statement({
  text: `UPDATE event_feeds SET held_by = NULL, held_until = NULL
      WHERE organization_id = $1 AND endpoint_id = $2 AND held_by = $3`,
});

export async function releaseFeed(
  db: Db,
  processId: string,
  { organizationId, endpointId }: { organizationId: string; endpointId: string },
): Promise<void> {
  await db.query(RELEASE_FEED([organizationId, endpointId, processId]));
}
