import { setTimeout as sleep } from "node:timers/promises";
import { tryForbiddenWrites } from "../forbidden-writes.ts";
import type { Scenario } from "./scenario.ts";

/** The last line of defence: writes that no guard of the code stands in front of. */
export const schema: Scenario = {
  name: "schema",
  summary: "writes by hand that only the schema can refuse, under a load of every kind",
  clients: 4,
  probes: false,
  async run({ faults, postgres, interrupted }, endAtMs) {
    while (Date.now() < endAtMs && !interrupted.aborted) {
      await sleep(2_000);
      faults.note("forbidden writes");
      await tryForbiddenWrites(postgres.pool);
    }
  },
};
