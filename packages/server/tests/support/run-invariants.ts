import { expect } from "vitest";
import type { Pool } from "pg";
import { until } from "./runs-until.ts";
import type { TriggerLog } from "./trigger-load.ts";

/** Waits until nothing is under way any more. */
export async function untilAllEnded(pool: Pool, withinMs: number): Promise<void> {
  const left = async () =>
    (await pool.query(`SELECT count(*) AS count FROM runs WHERE completed_at IS NULL`)).rows[0]
      .count as number;
  await until("every run has ended", async () => (await left()) === 0, withinMs);
}

/**
 * Of an organization with limited credits and an event endpoint, after all has ended: every acknowledged run is there
 * and completed, and every run there is was settled once and told its end once.
 */
export async function expectEachRunEndedOnce(pool: Pool, { acknowledged }: TriggerLog): Promise<void> {
  const ids = acknowledged.map(({ runId }) => runId);
  expect(new Set(ids).size).toBe(ids.length);
  const lost = await pool.query(
    `SELECT id, r.status, e.error FROM unnest($1::text[]) AS acknowledged(id) LEFT JOIN runs r USING (id)
            LEFT JOIN run_results e ON e.run_id = id
      WHERE r.status IS DISTINCT FROM 'COMPLETED'`,
    [ids],
  );
  expect(lost.rows).toEqual([]);
  const settlements = await pool.query(
    `SELECT r.id, array_agg(c.kind ORDER BY c.kind) AS kinds FROM runs r LEFT JOIN credit_entries c ON c.run_id = r.id
      GROUP BY r.id HAVING array_agg(c.kind ORDER BY c.kind) IS DISTINCT FROM ARRAY['reserve', 'settle']`,
  );
  expect(settlements.rows).toEqual([]);
  const endings = await pool.query(
    `SELECT r.id, count(e.id) AS count FROM runs r LEFT JOIN events e ON e.run_id = r.id
            AND e.type IN ('run.completed', 'run.failed', 'run.canceled', 'run.crashed', 'run.timed_out')
      GROUP BY r.id HAVING count(e.id) <> 1`,
  );
  expect(endings.rows).toEqual([]);
}
