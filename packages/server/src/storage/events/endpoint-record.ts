import { bigint, boolean, orNull, text, texts, timestamp } from "../columns.ts";
import type { RowOf } from "../statement.ts";

/** Of `event_endpoints e` and its feed `f`, which a new endpoint has not yet. */
export const ENDPOINT = {
  select: `e.organization_id AS "organizationId", e.id, e.url, e.events, e.enabled,
  e.disabled_at AS "disabledAt", e.disabled_reason AS "disabledReason", e.created_at AS "createdAt",
  coalesce(f.delivered, 0) AS delivered,
  (SELECT count(*) FROM event_deliveries d
    WHERE d.organization_id = e.organization_id AND d.endpoint_id = e.id AND d.state = 'retrying') AS retrying,
  (SELECT b.created_at FROM event_batches b
    WHERE b.organization_id = e.organization_id AND b.position > f.position ORDER BY b.position LIMIT 1) AS "oldestUntriedAt",
  f.last_success_at AS "lastSuccessAt", f.last_failure_at AS "lastFailureAt", f.last_failure AS "lastFailure",
  f.failing_since AS "failingSince"`,
  columns: {
    organizationId: text,
    id: text,
    url: text,
    events: texts,
    enabled: boolean,
    disabledAt: orNull(timestamp),
    /** `gone`, `failing`, or `operator`. */
    disabledReason: orNull(text),
    createdAt: timestamp,
    delivered: bigint,
    retrying: bigint,
    /** Events from here on have not been tried yet. */
    oldestUntriedAt: orNull(timestamp),
    lastSuccessAt: orNull(timestamp),
    lastFailureAt: orNull(timestamp),
    lastFailure: orNull(text),
    /** Since then no attempt has succeeded. */
    failingSince: orNull(timestamp),
  },
};

export type EndpointRecord = RowOf<typeof ENDPOINT.columns>;
