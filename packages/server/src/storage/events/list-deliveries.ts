import { integer, oneOf, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_DELIVERIES = statement({
  text: `SELECT d.endpoint_id AS "endpointId", d.state, d.attempts, d.next_at AS "nextAt", d.last_at AS "lastAt",
            d.last_status AS "lastStatus", d.last_failure AS "lastFailure", d.last_ms AS "lastMs"
       FROM event_endpoints e JOIN event_deliveries d ON d.organization_id = e.organization_id AND d.endpoint_id = e.id
      WHERE e.organization_id = $1 AND d.event_id = $2 ORDER BY d.endpoint_id`,
  columns: {
    endpointId: text,
    state: oneOf("delivered", "retrying", "failed"),
    attempts: integer,
    nextAt: orNull(timestamp),
    lastAt: orNull(timestamp),
    lastStatus: orNull(integer),
    lastFailure: orNull(text),
    lastMs: orNull(integer),
  },
});

export type DeliveryRecord = Row<typeof LIST_DELIVERIES>;

/** What became of one event at the endpoints of its organization. */
export async function listDeliveries(
  db: Db,
  organizationId: string,
  eventId: string,
): Promise<DeliveryRecord[]> {
  const { rows } = await db.query(LIST_DELIVERIES([organizationId, eventId]));
  return rows;
}
