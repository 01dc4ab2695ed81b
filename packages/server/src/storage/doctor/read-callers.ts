import type { Db } from "../pool.ts";

export interface Callers {
  /** Of all processes, at most two from each. */
  readonly addresses: readonly string[];
  readonly unheeded: number;
}

/** What API processes have seen since then; older windows are deleted after ten minutes. */
export async function readCallers(
  db: Db,
  { sinceMs, prefix, unheededKey }: { sinceMs: number; prefix: string; unheededKey: string },
): Promise<Callers> {
  const { rows } = await db.query<Callers>(
    `SELECT coalesce(array_agg(DISTINCT substr(key, length($2) + 1)) FILTER (WHERE starts_with(key, $2)), '{}') AS addresses,
            coalesce(sum(used) FILTER (WHERE key = $3), 0)::float8 AS unheeded
       FROM rate_windows WHERE started_at >= $1`,
    [sinceMs, prefix, unheededKey],
  );
  return rows[0]!;
}
