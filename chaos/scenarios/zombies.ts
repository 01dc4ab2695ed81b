import { setTimeout as sleep } from "node:timers/promises";
import type { Instance } from "../instance.ts";
import { untilQuiet } from "../settle.ts";
import type { World } from "../world.ts";
import { busiest, ownerOf } from "./busiest.ts";
import type { Scenario } from "./scenario.ts";

const ORGANIZATION = "org_large";
const DOZE_MS = 4_300;
const TAKEN_OVER_MS = 25_000;

/**
 * A worker is stopped in the middle of effects, of waits and of a computation; others take its runs over and are in the middle of the
 * same; then the first one comes back and has the answers it waited for. Everything it writes must fall on the fence.
 */
export const zombies: Scenario = {
  name: "zombies",
  summary: "workers lose their runs while stopped, and come back with results while others work on them",
  clients: 0,
  probes: false,
  async run(world, endAtMs) {
    while (Date.now() < endAtMs && !world.interrupted.aborted) await round(world);
  },
};

async function round({ load, fleet, effects, faults, postgres, progress }: World): Promise<void> {
  // First, so that it gets a slot, and one alone: more would be too slow to be done when their worker comes back.
  await load.trigger({ organizationId: ORGANIZATION, flow: "ponder", api: 0 });
  const began = Array.from({ length: 20 }, (_, at) =>
    load.trigger({ organizationId: ORGANIZATION, flow: at % 2 === 0 ? "hold" : "doze", api: at }),
  );
  await Promise.all(began);
  const begunMs = Date.now();
  await sleep(800);
  const workers = fleet.running("worker");
  const victim =
    (await ownerOf(`${ORGANIZATION}_ponder`, workers, postgres.pool)) ??
    (await busiest(workers, postgres.pool));
  if (!victim) return;
  const window = faults.begin("SIGSTOP", [victim.name], "until others have its runs");
  const stoppedMs = Date.now();
  victim.signal("SIGSTOP");
  // Its session lock goes with this connection: others need not wait for the end of the lease.
  victim.proxy.cut("listening");
  const taken = await untilTakenOver(postgres.pool, victim);
  // Its own waits are over when it comes back; those of the others, begun later, are not.
  await sleep(Math.max(300, begunMs + DOZE_MS - Date.now()));
  effects.letGo(stoppedMs);
  await sleep(50);
  victim.signal("SIGCONT");
  faults.endOfOne(window);
  progress(`${victim.name} is back; ${taken} of its runs are with others`);
  await sleep(1_500);
  effects.letGo();
  await untilQuiet(postgres.pool, 15_000);
}

/** How many runs it had, once all of them are executed by somebody else, or were. */
async function untilTakenOver(pool: World["postgres"]["pool"], { pid }: Instance): Promise<number> {
  const lost = await pool.query(
    `SELECT r.id FROM runs r JOIN processes p ON p.id = r.process_id WHERE p.pid = $1 AND r.status = 'EXECUTING'`,
    [pid],
  );
  const ids = lost.rows.map(({ id }) => id as string);
  const endAtMs = Date.now() + TAKEN_OVER_MS;
  while (Date.now() < endAtMs) {
    const { rows } = await pool.query(
      `SELECT count(*) AS others FROM runs r LEFT JOIN processes p ON p.id = r.process_id
        WHERE r.id = ANY($1) AND (r.status = 'COMPLETED' OR r.status = 'EXECUTING' AND p.pid <> $2)`,
      [ids, pid],
    );
    if (rows[0].others === ids.length) break;
    await sleep(50);
  }
  return ids.length;
}
