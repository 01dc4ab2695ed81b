import { bigint } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const MAX_COUNTED = 1_000_000;

const READ_GROWTH = statement({
  text: `SELECT pg_database_size(current_database()) AS "databaseBytes",
            greatest(0, (SELECT reltuples FROM pg_class WHERE oid = 'runs'::regclass))::bigint AS runs,
            (SELECT count(*) FROM organizations o CROSS JOIN LATERAL (
               SELECT FROM runs r WHERE r.organization_id = o.id AND r.id >= $1 LIMIT ${MAX_COUNTED}) AS recent) AS "recentRuns"`,
  columns: {
    databaseBytes: bigint,
    /** As far as PostgreSQL's statistics know. */
    runs: bigint,
    /** Runs that were made since an id. */
    recentRuns: bigint,
  },
});

export type Growth = Row<typeof READ_GROWTH>;

export async function readGrowth(db: Db, sinceId: string): Promise<Growth> {
  const { rows } = await db.query(READ_GROWTH([sinceId]));
  return rows[0]!;
}
