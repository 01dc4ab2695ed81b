import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { DELIVERY } from "./delivery-columns.ts";

const LIST_DELIVERIES = statement({
  text: `SELECT ${DELIVERY.select}
       FROM event_endpoints e JOIN event_deliveries d ON d.organization_id = e.organization_id AND d.endpoint_id = e.id
      WHERE e.organization_id = $1 AND d.event_id = $2 ORDER BY d.endpoint_id`,
  columns: DELIVERY.columns,
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
