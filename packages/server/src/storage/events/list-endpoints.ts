import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { ENDPOINT, type EndpointRecord } from "./endpoint-record.ts";

const LIST_ENDPOINTS = statement({
  text: `SELECT ${ENDPOINT.select}
       FROM event_endpoints e LEFT JOIN event_feeds f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
      WHERE ($1::text IS NULL OR e.organization_id = $1) AND ($2::text IS NULL OR e.id = $2)
      ORDER BY e.organization_id, e.id`,
  columns: ENDPOINT.columns,
});

/** The endpoints of an organization, or all; or those of this name. */
export async function listEndpoints(
  db: Db,
  { organizationId, id }: { organizationId?: string; id?: string } = {},
): Promise<EndpointRecord[]> {
  const { rows } = await db.query(LIST_ENDPOINTS([organizationId, id]));
  return rows;
}
