import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "./world.ts";

/** Everything works again, and is given time to notice. */
export async function heal({ fleet, receiver, postgres }: World): Promise<void> {
  receiver.mood = "well";
  fleet.heal();
  await postgres.pool.query(`DELETE FROM chaos.slowness`);
  // A run that a schedule starts while the evidence is gathered would be judged half-way.
  await postgres.pool.query(`DELETE FROM flow_schedules`);
  await fleet.whole();
}

/**
 * Until every event has arrived. After a second failure a delivery waits five minutes, which is longer than anybody
 * wants to watch: its time is brought forward, nothing else about it.
 */
export async function untilDelivered({ postgres }: World, withinMs: number): Promise<void> {
  const endAtMs = Date.now() + withinMs;
  while (Date.now() < endAtMs) {
    await postgres.pool.query(
      `UPDATE event_deliveries SET next_at = millrace_now() WHERE state = 'retrying'`,
    );
    const { rows } = await postgres.pool.query(
      `SELECT (SELECT count(*) FROM event_deliveries WHERE state = 'retrying') + (SELECT count(*) FROM event_batches WHERE position IS NULL)
              + (SELECT count(*) FROM event_endpoints e LEFT JOIN event_feeds f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
                  WHERE e.enabled AND coalesce(f.position, 0) < (SELECT coalesce(max(b.position), 0) FROM event_batches b WHERE b.organization_id = e.organization_id)) AS open`,
    );
    if (rows[0].open === 0) return;
    await sleep(1_000);
  }
}

/** Until no run waits, executes or is paused, and no reply is under way; false where that did not come in time. */
export async function untilQuiet(pool: World["postgres"]["pool"], withinMs: number): Promise<boolean> {
  const endAtMs = Date.now() + withinMs;
  while (Date.now() < endAtMs) {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*) FROM runs WHERE completed_at IS NULL)
              + (SELECT count(*) FROM agent_turns WHERE status IN ('queued', 'running')) AS open`,
    );
    if (rows[0].open === 0) return true;
    await sleep(200);
  }
  return false;
}
