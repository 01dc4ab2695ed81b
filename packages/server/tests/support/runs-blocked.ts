import type { Pool } from "pg";
import { until } from "./runs-until.ts";

/** Returns once a statement whose text contains `part` waits for a lock: the barrier of tests that interleave two. */
export async function untilBlocked(pool: Pool, part: string): Promise<void> {
  await until(`a statement with "${part}" waits for a lock`, async () => {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 in query) > 0 AND pid <> pg_backend_pid()`,
      [part],
    );
    return rows.length > 0;
  });
}
