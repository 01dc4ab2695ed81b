import { setTimeout as sleep } from "node:timers/promises";
import { acknowledgedRun } from "../api-client.ts";
import { untilQuiet } from "../settle.ts";
import { setSlowness } from "../recorder.ts";
import type { Scenario } from "./scenario.ts";

const ORGANIZATION = "org_large";
const CHECKPOINT_SECONDS = 0.6;

/** Checkpoints that take long, cancelled while they are being written: one of the two has to wait for the other. */
export const slowDisk: Scenario = {
  name: "slow-disk",
  summary: "checkpoints that take long, and cancels that come in between",
  clients: 0,
  probes: false,
  async run({ load, effects, postgres, progress, interrupted }, endAtMs) {
    while (Date.now() < endAtMs && !interrupted.aborted) {
      await setSlowness(postgres.pool, "run_nodes", CHECKPOINT_SECONDS);
      const triggers = Array.from({ length: 10 }, (_, api) =>
        load.trigger({ organizationId: ORGANIZATION, flow: "hold", api }),
      );
      const runIds = (await Promise.all(triggers)).flatMap((operation) => acknowledgedRun(operation) ?? []);
      await sleep(1_000);
      effects.letGo();
      await sleep(200);
      const cancels = await Promise.all(runIds.map((runId, api) => load.cancel(ORGANIZATION, runId, api)));
      progress(
        `${cancels.filter(({ outcome }) => outcome === "ok").length} cancelled while their checkpoint was written`,
      );
      await setSlowness(postgres.pool, "run_nodes", undefined);
      effects.letGo();
      await untilQuiet(postgres.pool, 15_000);
    }
  },
};
