import { float, texts } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const READ_CALLERS = statement({
  text: `SELECT coalesce(array_agg(DISTINCT substr(key, length($2) + 1)) FILTER (WHERE starts_with(key, $2)), '{}') AS addresses,
            coalesce(sum(used) FILTER (WHERE key = $3), 0)::float8 AS unheeded
       FROM rate_windows WHERE started_at >= $1`,
  columns: {
    /** Of all processes, at most two from each. */
    addresses: texts,
    unheeded: float,
  },
});

export type Callers = Row<typeof READ_CALLERS>;

/** What API processes have seen since then; older windows are deleted after ten minutes. */
export async function readCallers(
  db: Db,
  { sinceMs, prefix, unheededKey }: { sinceMs: number; prefix: string; unheededKey: string },
): Promise<Callers> {
  const { rows } = await db.query(READ_CALLERS([sinceMs, prefix, unheededKey]));
  return rows[0]!;
}
