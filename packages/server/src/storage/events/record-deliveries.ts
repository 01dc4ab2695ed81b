import type { StoredEvent } from "../../domain/events/stored-event.ts";
import { boolean, numeric } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { FEED_SETTINGS, type FeedSettings, LAZILY, LEASE } from "./feed-settings.ts";

export interface DeliveryResult {
  readonly event: StoredEvent;
  readonly attempts: number;
  readonly delivered: boolean;
  /** Until the next attempt; missing after a success and after the last one. */
  readonly retryInMs?: number;
  readonly status?: number;
  readonly failure?: string;
  readonly durationMs: number;
}

export interface FeedProgress {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly processId: string;
  readonly position: number;
  readonly failuresInRow: number;
  /** In the order in which they ended. */
  readonly results: readonly DeliveryResult[];
}

export interface FeedStanding {
  readonly settings: FeedSettings;
  readonly enabled: boolean;
  /** How long every attempt has failed. */
  readonly failingForMs: number;
}

const RECORD_DELIVERIES = statement({
  name: "record-deliveries",
  text: `
WITH feed AS (
  UPDATE event_feeds f SET
    position = greatest(f.position, $4), held_until = millrace_now() + ${LEASE}, failures_in_row = $5, delivered = f.delivered + $6,
    last_success_at = CASE WHEN $6::integer > 0 THEN millrace_now() ELSE f.last_success_at END,
    last_failure_at = CASE WHEN $7::text IS NOT NULL THEN millrace_now() ELSE f.last_failure_at END,
    last_failure = coalesce($7, f.last_failure),
    failing_since = CASE WHEN $8::boolean THEN NULL WHEN $7 IS NULL THEN f.failing_since
                         WHEN $6 > 0 THEN millrace_now() ELSE coalesce(f.failing_since, millrace_now()) END
  WHERE f.organization_id = $1 AND f.endpoint_id = $2 AND f.held_by = $3
  RETURNING f.*
), recorded AS (
  INSERT INTO event_deliveries AS d (organization_id, endpoint_id, event_id, state, attempts, next_at, last_at, last_status, last_failure, last_ms, event)
  SELECT f.organization_id, f.endpoint_id, r.event_id, r.state, r.attempts, millrace_now() + r.retry_in_ms * interval '1 millisecond',
         millrace_now(), r.status, r.failure, r.ms, r.event::json
    FROM feed f CROSS JOIN unnest($9::text[], $10::text[], $11::integer[], $12::bigint[], $13::integer[], $14::text[], $15::integer[], $16::text[])
         AS r(event_id, state, attempts, retry_in_ms, status, failure, ms, event)
  ON CONFLICT (organization_id, endpoint_id, event_id) DO UPDATE SET
    state = excluded.state, attempts = excluded.attempts, next_at = excluded.next_at, last_at = excluded.last_at,
    last_status = excluded.last_status, last_failure = excluded.last_failure, last_ms = excluded.last_ms, event = excluded.event
)
SELECT e.enabled, coalesce(extract(epoch FROM millrace_now() - f.failing_since) * 1000, 0) AS "failingForMs", ${FEED_SETTINGS.select}
  FROM feed f JOIN event_endpoints e ON e.organization_id = f.organization_id AND e.id = f.endpoint_id WHERE ${LAZILY}`,
  columns: { enabled: boolean, failingForMs: numeric, ...FEED_SETTINGS.columns },
});

/** Keeps what was tried and renews the lease; undefined where the feed is no longer this process's. */
export async function recordDeliveries(db: Db, progress: FeedProgress): Promise<FeedStanding | undefined> {
  const { results } = progress;
  const last = results.at(-1);
  const failure = results.findLast(({ delivered }) => !delivered);
  const { rows } = await db.query(
    RECORD_DELIVERIES([
      progress.organizationId,
      progress.endpointId,
      progress.processId,
      progress.position,
      progress.failuresInRow,
      results.filter(({ delivered }) => delivered).length,
      failure?.failure ?? null,
      last?.delivered ?? false,
      results.map(({ event }) => event.id),
      results.map(({ delivered, retryInMs }) =>
        delivered ? "delivered" : retryInMs === undefined ? "failed" : "retrying",
      ),
      results.map(({ attempts }) => attempts),
      results.map(({ retryInMs }) => retryInMs ?? null),
      results.map(({ status }) => status ?? null),
      results.map(({ failure }) => failure ?? null),
      results.map(({ durationMs }) => durationMs),
      results.map(({ event, retryInMs }) => (retryInMs === undefined ? null : JSON.stringify(kept(event)))),
    ]),
  );
  const row = rows[0];
  if (!row) return undefined;
  const { enabled, failingForMs, ...settings } = row;
  return { enabled, failingForMs: Number(failingForMs), settings };
}

function kept({ id, type, runId, at, data }: StoredEvent): StoredEvent {
  return { id, type, runId, at, data };
}
