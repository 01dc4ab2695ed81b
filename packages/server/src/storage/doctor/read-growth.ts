import type { Db } from "../pool.ts";

export interface Growth {
  readonly databaseBytes: number;
  /** As far as PostgreSQL's statistics know. */
  readonly runs: number;
  /** Runs that were made since an id. */
  readonly recentRuns: number;
}

const MAX_COUNTED = 1_000_000;

export async function readGrowth(db: Db, sinceId: string): Promise<Growth> {
  const { rows } = await db.query<Growth>(
    `SELECT pg_database_size(current_database()) AS "databaseBytes",
            greatest(0, (SELECT reltuples FROM pg_class WHERE oid = 'runs'::regclass))::bigint AS runs,
            (SELECT count(*) FROM organizations o CROSS JOIN LATERAL (
               SELECT FROM runs r WHERE r.organization_id = o.id AND r.id >= $1 LIMIT ${MAX_COUNTED}) AS recent) AS "recentRuns"`,
    [sinceId],
  );
  return rows[0]!;
}
