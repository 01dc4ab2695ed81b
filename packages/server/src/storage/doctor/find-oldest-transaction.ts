import { assumed, float, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

/** Of a transaction that old somebody should hear: what was deleted or changed since cannot be cleaned up. */
export const WARN_TRANSACTION_SECONDS = 300;

const FIND_OLDEST_TRANSACTION = statement({
  text: `SELECT owner, remedy, extract(epoch FROM clock_timestamp() - since)::float AS seconds FROM (
       SELECT format('session %s of %s (%s)', pid, usename, coalesce(nullif(application_name, ''), 'no name')) AS owner,
              format('SELECT pg_terminate_backend(%s)', pid) AS remedy, xact_start AS since
         FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
       UNION ALL
       SELECT format('prepared transaction %s of %s', gid, owner), format('ROLLBACK PREPARED %L', gid), prepared
         FROM pg_prepared_xacts WHERE database = current_database()
     ) AS open WHERE since IS NOT NULL ORDER BY since LIMIT 1`,
  columns: {
    /** For people: who has it, and how to end it. */
    owner: assumed(text),
    remedy: assumed(text),
    seconds: assumed(float),
  },
});

export type OpenTransaction = Row<typeof FIND_OLDEST_TRANSACTION>;

/**
 * The transaction that has kept PostgreSQL from cleaning up for the longest time. Sessions of other roles show their
 * transactions only to a superuser or a member of pg_read_all_stats.
 */
export async function findOldestTransaction(db: Db): Promise<OpenTransaction | undefined> {
  const { rows } = await db.query(FIND_OLDEST_TRANSACTION());
  return rows[0];
}
