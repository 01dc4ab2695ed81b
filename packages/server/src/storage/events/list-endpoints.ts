import type { Db } from "../pool.ts";
import { ENDPOINT_COLUMNS, type EndpointRecord } from "./endpoint-record.ts";

/** The endpoints of an organization, or all; or those of this name. */
export async function listEndpoints(
  db: Db,
  { organizationId, id }: { organizationId?: string; id?: string } = {},
): Promise<EndpointRecord[]> {
  const { rows } = await db.query<EndpointRecord>(
    `SELECT ${ENDPOINT_COLUMNS}
       FROM event_endpoints e LEFT JOIN event_feeds f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
      WHERE ($1::text IS NULL OR e.organization_id = $1) AND ($2::text IS NULL OR e.id = $2)
      ORDER BY e.organization_id, e.id`,
    [organizationId, id],
  );
  return rows;
}
