import { hostname } from "node:os";
import { heartbeat, leave } from "../storage/processes/processes.ts";
import type { Foundation } from "./foundation.ts";

const HEARTBEAT_MS = 5_000;

/** Lists a process that only answers requests beside those that execute runs: operators want to see each, and its release. */
export function composePresence({ pools, processId, role, version, startDuty, shutdown }: Foundation): void {
  // Nobody takes over from a process without runs, so no lock tells that it is gone.
  const self = { id: processId, lockKey: 0, role, host: hostname(), pid: process.pid, version };
  shutdown.add("sign-off", () => leave(pools.api, processId));
  startDuty({
    name: "heartbeat",
    intervalMs: HEARTBEAT_MS,
    runOnce: async () => void (await heartbeat(pools.api, self)),
  });
}
