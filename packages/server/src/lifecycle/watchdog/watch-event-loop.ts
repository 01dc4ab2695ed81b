import { workerData } from "node:worker_threads";
import { StallJudge } from "./stall-judge.ts";
import { StallMemory } from "./stall-memory.ts";
import type { ThreadOptions } from "./watchdog.ts";

const options = workerData as ThreadOptions;
const memory = new StallMemory(options.sharedMemory);
const judge = new StallJudge(options);

const MAX_REPORT_MS = 6_000;

const timer = setInterval(() => {
  const { beats, isDebugged } = memory;
  const stall = judge.tick(performance.now(), { beats, isDebugged, work: memory.read() });
  if (!stall) return;
  clearInterval(timer);
  // Whatever comes of the report: a process that stands still is ended.
  setTimeout(endProcess, MAX_REPORT_MS);
  void import("./report-stall.ts")
    .then(({ reportStall }) => reportStall(stall.work, options))
    .finally(endProcess);
}, options.tickMs);

/** By a signal that nothing can catch: the event loop would never get to see another one. */
function endProcess(): void {
  process.kill(process.pid, "SIGKILL");
}
