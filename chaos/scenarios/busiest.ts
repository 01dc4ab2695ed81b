import type { Instance } from "../instance.ts";
import type { World } from "../world.ts";

/** The worker that executes most runs right now: there is most to lose. */
export async function busiest(
  workers: readonly Instance[],
  pool: World["postgres"]["pool"],
): Promise<Instance | undefined> {
  const { rows } = await pool.query(
    `SELECT p.pid FROM runs r JOIN processes p ON p.id = r.process_id GROUP BY p.pid ORDER BY count(*) DESC LIMIT 1`,
  );
  return workers.find(({ pid }) => pid === rows[0]?.pid);
}

/** The worker that executes a run of this flow right now. */
export async function ownerOf(
  flowId: string,
  workers: readonly Instance[],
  pool: World["postgres"]["pool"],
): Promise<Instance | undefined> {
  const { rows } = await pool.query(
    `SELECT p.pid FROM runs r JOIN processes p ON p.id = r.process_id WHERE r.flow_id = $1 AND r.status = 'EXECUTING' LIMIT 1`,
    [flowId],
  );
  return workers.find(({ pid }) => pid === rows[0]?.pid);
}
