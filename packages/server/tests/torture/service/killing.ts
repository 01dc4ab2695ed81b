import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import type { Processes } from "./processes.ts";

const MIN_PAUSE_MS = 300;
const MAX_PAUSE_MS = 1_500;

/** Kills one worker after another until it is told to stop. */
export function startKilling(processes: Processes, seed: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const victims = fc.sample(fc.tuple(fc.nat(2), fc.integer({ min: MIN_PAUSE_MS, max: MAX_PAUSE_MS })), {
    seed,
    numRuns: 1_000,
  });
  const kill = async () => {
    for (let at = 0; !stopping.signal.aborted; at++) {
      const [worker, pauseMs] = victims[at % victims.length]!;
      await sleep(pauseMs);
      await processes.kill(worker);
    }
  };
  const killed = kill();
  return {
    stop: async () => {
      stopping.abort();
      await killed;
    },
  };
}
