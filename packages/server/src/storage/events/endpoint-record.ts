/** Of `event_endpoints e` and its feed `f`, which a new endpoint has not yet. */
export const ENDPOINT_COLUMNS = `e.organization_id AS "organizationId", e.id, e.url, e.events, e.enabled,
  e.disabled_at AS "disabledAt", e.disabled_reason AS "disabledReason", e.created_at AS "createdAt",
  coalesce(f.delivered, 0) AS delivered,
  (SELECT count(*) FROM event_deliveries d
    WHERE d.organization_id = e.organization_id AND d.endpoint_id = e.id AND d.state = 'retrying') AS retrying,
  (SELECT b.created_at FROM event_batches b
    WHERE b.organization_id = e.organization_id AND b.position > f.position ORDER BY b.position LIMIT 1) AS "oldestUntriedAt",
  f.last_success_at AS "lastSuccessAt", f.last_failure_at AS "lastFailureAt", f.last_failure AS "lastFailure",
  f.failing_since AS "failingSince"`;

export interface EndpointRecord {
  readonly organizationId: string;
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly disabledAt: Date | null;
  /** `gone`, `failing`, or `operator`. */
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  readonly delivered: number;
  readonly retrying: number;
  /** Events from here on have not been tried yet. */
  readonly oldestUntriedAt: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastFailure: string | null;
  /** Since then no attempt has succeeded. */
  readonly failingSince: Date | null;
}
