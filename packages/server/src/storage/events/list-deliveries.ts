import type { Db } from "../pool.ts";

export interface DeliveryRecord {
  readonly endpointId: string;
  readonly state: "delivered" | "retrying" | "failed";
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly lastAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
  readonly lastMs: number | null;
}

/** What became of one event at the endpoints of its organization. */
export async function listDeliveries(
  db: Db,
  organizationId: string,
  eventId: string,
): Promise<DeliveryRecord[]> {
  const { rows } = await db.query<DeliveryRecord>(
    `SELECT d.endpoint_id AS "endpointId", d.state, d.attempts, d.next_at AS "nextAt", d.last_at AS "lastAt",
            d.last_status AS "lastStatus", d.last_failure AS "lastFailure", d.last_ms AS "lastMs"
       FROM event_endpoints e JOIN event_deliveries d ON d.organization_id = e.organization_id AND d.endpoint_id = e.id
      WHERE e.organization_id = $1 AND d.event_id = $2 ORDER BY d.endpoint_id`,
    [organizationId, eventId],
  );
  return rows;
}
