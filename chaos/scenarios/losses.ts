import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario } from "./scenario.ts";

/** Workers are killed in the middle of effects, one after the other; each time there are others. */
export const losses: Scenario = {
  name: "losses",
  summary: "workers are killed in the middle of their effects",
  clients: 4,
  probes: false,
  async run({ load, fleet, faults, random, interrupted }, endAtMs) {
    while (Date.now() < endAtMs && !interrupted.aborted) {
      const triggers = Array.from({ length: 9 }, (_, api) =>
        load.trigger({ organizationId: "org_large", flow: "slow", api }),
      );
      await Promise.all(triggers);
      await sleep(500);
      const slot = random.pick(fleet.of("worker"));
      if (!slot.instance) continue;
      const window = faults.begin("kill -9", [slot.instance.name]);
      await fleet.kill(slot);
      faults.end(window);
    }
  },
};
