import { write } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { stackOfMainThread } from "./main-thread-stack.ts";
import type { Work } from "./stall-memory.ts";
import type { ThreadOptions } from "./watchdog.ts";

const MAX_SETTLE_MS = 3_000;
const MAX_LOG_MS = 1_000;

/**
 * Settles who pays for the stall, and writes what happened. Each step has its time, because whatever holds up the
 * event loop (a full disk, a log nobody reads) may hold up this thread as well.
 */
export async function reportStall(work: Work | undefined, options: ThreadOptions): Promise<void> {
  const [stack, failure] = await Promise.all([
    stackOfMainThread(),
    within(MAX_SETTLE_MS, settleRuns(work, options)),
  ]);
  await within(MAX_LOG_MS, report(work, options, { stack, failure }));
}

/** What went wrong, or nothing. */
async function within(maxMs: number, task: Promise<void>): Promise<unknown> {
  const late = sleep(maxMs, new Error(`It took longer than ${maxMs / 1000} s.`), { ref: false });
  return Promise.race([
    task.then(
      () => undefined,
      (error: unknown) => error,
    ),
    late,
  ]);
}

/** Loaded only now: a thread that only watches needs no database driver. */
async function settleRuns(work: Work | undefined, options: ThreadOptions): Promise<void> {
  // Nobody knows whose fault it is: the runs of a lost worker all pay for it, as they do when a machine is lost.
  if (!work) return;
  const { settleStall } = await import("../../storage/runs/settle-stall.ts");
  await settleStall(work, options);
}

async function report(
  work: Work | undefined,
  { limitMs, log }: ThreadOptions,
  { stack, failure }: { stack: string; failure: unknown },
): Promise<void> {
  const { createLogger } = await import("../../telemetry/logger.ts");
  const written: Promise<void>[] = [];
  const logger = createLogger({
    ...log,
    level: "info",
    stream: { write: (line) => void written.push(writeToStderr(line)) },
  });
  if (failure) logger.warn({ err: failure }, "the runs of this process could not be given back");
  logger.fatal(
    {
      ...work,
      nodeId: work?.nodeKey,
      err: new EventLoopStalled(stack),
    },
    `the event loop stood still for longer than ${limitMs / 1000} s ${placeOf(work)}; this process is ended`,
  );
  await Promise.all(written);
}

/** Its stack is the main thread's. */
class EventLoopStalled extends Error {
  override readonly name = "EventLoopStalled";
  constructor(stack: string) {
    super("The event loop stood still.");
    this.stack = stack;
  }
}

function placeOf(work: Work | undefined): string {
  if (work?.kind === "run") return `in run ${work.runId}, node ${work.nodeKey ?? "(between nodes)"}`;
  if (work?.kind === "flow") return `while flow ${work.flowId} was compiled`;
  if (work?.kind === "route") return `in route ${work.route}`;
  return "in work that has no name";
}

function writeToStderr(line: string): Promise<void> {
  return new Promise((resolve) => write(2, line, () => resolve()));
}
