import type { RunStatus } from "@millrace/contract/run-status";
import type { Db } from "../pool.ts";

/** What somebody was last told about a run. */
export interface KnownRun {
  readonly organizationId: string;
  readonly id: string;
  readonly status: RunStatus;
  readonly updatedAt: Date;
}

/** Those of the known runs that have moved on since; the rest costs an index look-up and no answer. */
export async function findChangedRuns(db: Db, known: readonly KnownRun[]): Promise<KnownRun[]> {
  const { rows } = await db.query<KnownRun>(
    `SELECT known.organization_id AS "organizationId", known.id, r.status, r.updated_at AS "updatedAt"
       FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS known(organization_id, id, status, updated_at)
       CROSS JOIN LATERAL (
         SELECT status, updated_at FROM runs WHERE organization_id = known.organization_id AND id = known.id LIMIT 1
       ) r
      WHERE r.status <> known.status OR date_trunc('milliseconds', r.updated_at) <> known.updated_at`,
    [
      known.map((run) => run.organizationId),
      known.map((run) => run.id),
      known.map((run) => run.status),
      known.map((run) => run.updatedAt.toISOString()),
    ],
  );
  return rows;
}
