import { setTimeout as sleep } from "node:timers/promises";
import { FAULTS } from "../faults.ts";
import type { World } from "../world.ts";
import type { Scenario } from "./scenario.ts";

const MAX_AT_ONCE = 3;
const ROUND_MS = 24_000;
/** In each round there is time without faults, in which the limits of seconds are strict. */
const CALM_MS = 7_000;

/** Faults of every kind, by the seed's own dice; up to three at a time. */
export const random: Scenario = {
  name: "random",
  summary: "faults of every kind under a load of every kind, as the seed decides",
  clients: 8,
  probes: true,
  async run(world, endAtMs) {
    const dice = world.random.fork();
    const underWay = new Set<Promise<void>>();
    const beganMs = Date.now();
    while (Date.now() < endAtMs && !world.interrupted.aborted) {
      const inRoundMs = (Date.now() - beganMs) % ROUND_MS;
      if (inRoundMs > ROUND_MS - CALM_MS) {
        // Those that last into it, a worker stopped for longer than its lease or a deploy, take from it.
        await sleep(Math.min(ROUND_MS - inRoundMs, Math.max(0, endAtMs - Date.now())));
        continue;
      }
      const fault = dice.weighted(FAULTS);
      const course: Promise<void> = fault({ ...world, random: dice.fork() } as World)
        .catch((error: unknown) => world.progress(`a fault could not be made: ${String(error)}`))
        .finally(() => underWay.delete(course));
      underWay.add(course);
      if (underWay.size >= MAX_AT_ONCE) await Promise.race(underWay);
      await sleep(dice.between(500, 2_500));
    }
    await Promise.all(underWay);
  },
};
