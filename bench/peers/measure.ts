import { setTimeout as sleep } from "node:timers/promises";
import { runLoad } from "../support/load.ts";
import type { LoadReport } from "../support/load-plan.ts";
import type { RunningPeer } from "./peer.ts";

/** Every peer is measured with the number of connections it is fastest with. */
const CONNECTIONS = [16, 64] as const;
const WARM_UP_SECONDS = 3;
const TRIAL_SECONDS = 3;
const MAX_DRAIN_MS = 60_000;

export interface Measured {
  readonly connections: number;
  readonly completedPerSecond: number;
  readonly completed: number;
  readonly load: LoadReport;
  readonly note: string | undefined;
}

/** Code is compiled, caches are filled and tables have statistics before anything counts. */
export async function warmUp(peer: RunningPeer): Promise<void> {
  await measure(peer, CONNECTIONS[1], WARM_UP_SECONDS);
  await peer.analyze?.();
}

export async function bestConnections(peer: RunningPeer): Promise<number> {
  const trials: Measured[] = [];
  for (const connections of CONNECTIONS) trials.push(await measure(peer, connections, TRIAL_SECONDS));
  return trials.toSorted((a, b) => b.completedPerSecond - a.completedPerSecond)[0]!.connections;
}

/** From the first request until the peer's own record says that everything it accepted is done. */
export async function measure(peer: RunningPeer, connections: number, seconds: number): Promise<Measured> {
  const before = await peer.countCompleted();
  const load = await runLoad({ port: peer.port, requests: [peer.request], connections, seconds });
  const refused = Object.keys(load.statuses).filter((status) => !status.startsWith("2"));
  if (refused.length > 0) throw new Error(`requests were refused: ${JSON.stringify(load.statuses)}`);
  const drain = await untilDone(peer, before + load.answers);
  return {
    connections,
    completed: load.answers,
    completedPerSecond: load.answers / (load.seconds + drain.seconds),
    load,
    note: await peer.note?.(),
  };
}

/** How long after the load the last one was done; the time of the last question itself does not count. */
async function untilDone(peer: RunningPeer, expected: number): Promise<{ seconds: number }> {
  const startedAtMs = performance.now();
  for (;;) {
    const askedAtMs = performance.now();
    const completed = await peer.countCompleted();
    if (completed > expected) throw new Error(`${completed - expected} more were done than asked for`);
    if (completed === expected) return { seconds: (askedAtMs - startedAtMs) / 1000 };
    if (askedAtMs - startedAtMs > MAX_DRAIN_MS) {
      throw new Error(`${expected - completed} accepted executions were not done a minute later`);
    }
    await sleep(20);
  }
}
