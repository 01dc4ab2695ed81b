import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario } from "./scenario.ts";

/** No wake-up arrives anywhere, and nobody is told: polling alone has to keep the limits. */
export const silence: Scenario = {
  name: "silence",
  summary: "every wake-up is lost for the whole time",
  clients: 4,
  probes: false,
  async run({ fleet, faults, interrupted }, endAtMs) {
    faults.note("wake-ups swallowed", "all, for good");
    while (Date.now() < endAtMs && !interrupted.aborted) {
      for (const { proxy } of fleet.running()) proxy.setSwallowingWakeUps(true);
      await sleep(200);
    }
  },
};
