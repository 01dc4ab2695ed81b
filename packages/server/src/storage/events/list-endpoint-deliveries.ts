import { text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { DELIVERY } from "./delivery-columns.ts";

/** By event, because events are made in order and the primary key knows it. */
const listStatement = (condition: string, order: string) =>
  statement({
    text: `SELECT d.event_id AS id, d.created_at AS "createdAt", ${DELIVERY.select}
         FROM event_deliveries d
        WHERE organization_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR state = $3) AND ${condition}
        ORDER BY event_id ${order} LIMIT $5`,
    columns: { id: text, createdAt: timestamp, ...DELIVERY.columns },
  });

const OLDER = listStatement(`($4::text IS NULL OR event_id < $4)`, "DESC");
const NEWER = listStatement(`event_id > $4`, "ASC");

export type EndpointDelivery = Row<typeof OLDER>;

export interface DeliveryFilter {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly state?: string | undefined;
}

/** What was sent to an endpoint, newest event first; one more than asked for, in the direction of the cursor. */
export async function listEndpointDeliveries(
  db: Db,
  { organizationId, endpointId, state }: DeliveryFilter,
  page: { readonly size: number; readonly after?: { id: string }; readonly before?: { id: string } },
): Promise<EndpointDelivery[]> {
  const list = page.before ? NEWER : OLDER;
  const position = (page.before ?? page.after)?.id;
  const { rows } = await db.query(list([organizationId, endpointId, state, position, page.size + 1]));
  return rows;
}
