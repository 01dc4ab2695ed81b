import { bigint, boolean, integer, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_ORGANIZATIONS = statement({
  text: `SELECT id, name, suspended, concurrency_limit AS concurrency, queue_limit AS queue,
            requests_per_minute AS "requestsPerMinute", created_at AS "createdAt",
            (SELECT count(*) FROM memberships WHERE organization_id = organizations.id) AS members
     FROM organizations WHERE $1::text IS NULL OR id = $1 ORDER BY id`,
  columns: {
    id: text,
    name: text,
    suspended: boolean,
    concurrency: integer,
    queue: integer,
    /** NULL: the service's own limit. */
    requestsPerMinute: orNull(integer),
    createdAt: timestamp,
    members: bigint,
  },
});

export type OrganizationSummary = Row<typeof LIST_ORGANIZATIONS>;

/** All of them, or the named one. */
export async function listOrganizations(db: Db, id?: string): Promise<OrganizationSummary[]> {
  const { rows } = await db.query(LIST_ORGANIZATIONS([id]));
  return rows;
}
