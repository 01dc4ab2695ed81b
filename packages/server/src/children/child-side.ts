import { Worker } from "node:worker_threads";
import type { ChildLimits } from "./confined-process.ts";

const heartbeatMs = 100;

/** What every confined process does for itself: it outlives neither the service nor its limits. */
export function startChild<Request>(
  onMessage: (request: Request, handle: unknown) => void | Promise<void>,
  /** Processor time that a request may have; for those who serve one at a time. */
  maxCpuMs?: (request: Request) => number,
): void {
  // A Ctrl-C reaches the whole process group; the service decides when its children end.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  process.on("disconnect", () => process.exit(0));
  process.send?.({ kind: "ready" });
  const watchdog = startWatchdog();
  let underWay = 0;
  const count = (by: 1 | -1, cpuMs?: number) => {
    underWay += by;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    if (underWay === (by === 1 ? 1 : 0)) watchdog.postMessage({ busy: underWay > 0, cpuMs });
  };
  process.on("message", (request: Request, handle: unknown) => {
    count(1, maxCpuMs?.(request));
    void Promise.resolve(onMessage(request, handle)).finally(() => count(-1));
  });
}

function startWatchdog(): Worker {
  const [serviceProcessId, limits] = process.argv.slice(2) as [string, string];
  const { maxRssBytes, maxBusyCpuMs } = JSON.parse(limits) as ChildLimits;
  const heartbeat = new Int32Array(new SharedArrayBuffer(4));
  const watchdog = new Worker(new URL("./child-watchdog.js", import.meta.url), {
    workerData: { serviceProcessId: Number(serviceProcessId), maxRssBytes, maxBusyCpuMs, heartbeat },
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  });
  watchdog.unref();
  if (maxBusyCpuMs !== undefined) setInterval(() => Atomics.add(heartbeat, 0, 1), heartbeatMs).unref();
  return watchdog;
}
