import { untilQuiet } from "../settle.ts";
import { setSlowness } from "../recorder.ts";
import type { Scenario } from "./scenario.ts";

const COMMIT_SECONDS = 0.05;

/** Many triggers at once at a small limit, over both API processes, with three workers that fill what is free. */
export const storm: Scenario = {
  name: "storm",
  summary: "triggers in parallel at a limit, with commits that take long",
  clients: 0,
  probes: false,
  async run({ load, postgres, progress, interrupted }, endAtMs) {
    await setSlowness(postgres.pool, "runs", COMMIT_SECONDS);
    while (Date.now() < endAtMs && !interrupted.aborted) {
      const triggers = Array.from({ length: 24 }, (_, api) =>
        load.trigger({ organizationId: api % 3 === 0 ? "org_paid" : "org_small", flow: "brief", api }),
      );
      const answers = await Promise.all(triggers);
      progress(`${answers.filter(({ status }) => status === 202).length} of ${answers.length} had to queue`);
      await untilQuiet(postgres.pool, 25_000);
    }
  },
};
