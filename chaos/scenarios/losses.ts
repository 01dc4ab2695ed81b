import { setTimeout as sleep } from "node:timers/promises";
import { busiest } from "./busiest.ts";
import type { Scenario } from "./scenario.ts";

/** Workers are killed in the middle of effects, one after the other; each time there are others. */
export const losses: Scenario = {
  name: "losses",
  summary: "workers are killed in the middle of their effects",
  clients: 4,
  probes: false,
  async run({ load, fleet, faults, postgres, interrupted }, endAtMs) {
    while (Date.now() < endAtMs && !interrupted.aborted) {
      const triggers = Array.from({ length: 9 }, (_, api) =>
        load.trigger({ organizationId: "org_large", flow: api % 3 === 0 ? "handled" : "slow", api }),
      );
      await Promise.all(triggers);
      await sleep(500);
      const victim = await busiest(fleet.running("worker"), postgres.pool);
      const slot = fleet.of("worker").find(({ instance }) => instance === victim);
      if (!victim || !slot) continue;
      const window = faults.begin("kill -9", [victim.name]);
      await fleet.kill(slot);
      faults.end(window);
    }
  },
};
