import { bigint, integer, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const COUNT_RATE_WINDOWS = statement({
  text: `INSERT INTO rate_windows AS w (key, started_at, used)
     -- Sorted, so that two processes with the same keys never wait for each other in a circle.
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::int[]) AS u(key, started_at, used) ORDER BY key, started_at
     ON CONFLICT (key, started_at) DO UPDATE SET used = w.used + excluded.used
     RETURNING key, started_at AS "startedAt", used`,
  columns: { key: text, startedAt: bigint, used: integer },
});

export type WindowUse = Row<typeof COUNT_RATE_WINDOWS>;

/** Adds what this process saw and answers with what all processes saw. */
export async function countRateWindows(db: Db, uses: readonly WindowUse[]): Promise<WindowUse[]> {
  const { rows } = await db.query(
    COUNT_RATE_WINDOWS([
      uses.map((use) => use.key),
      uses.map((use) => use.startedAt),
      uses.map((use) => use.used),
    ]),
  );
  return rows;
}

const DELETE_RATE_WINDOWS = statement({
  text: `DELETE FROM rate_windows WHERE started_at < $1`,
});

export async function deleteRateWindows(db: Db, endedBefore: number): Promise<void> {
  await db.query(DELETE_RATE_WINDOWS([endedBefore]));
}
