import type { Db } from "../pool.ts";

export interface OrganizationSummary {
  readonly id: string;
  readonly name: string;
  readonly suspended: boolean;
  readonly concurrency: number;
  readonly queue: number;
  /** null: the service's own limit. */
  readonly requestsPerMinute: number | null;
  readonly members: number;
  readonly createdAt: Date;
}

/** All of them, or the named one. */
export async function listOrganizations(db: Db, id?: string): Promise<OrganizationSummary[]> {
  const { rows } = await db.query<OrganizationSummary>(
    `SELECT id, name, suspended, concurrency_limit AS concurrency, queue_limit AS queue,
            requests_per_minute AS "requestsPerMinute", created_at AS "createdAt",
            (SELECT count(*) FROM memberships WHERE organization_id = organizations.id) AS members
     FROM organizations WHERE $1::text IS NULL OR id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}
