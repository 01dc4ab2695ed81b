import { url as debuggerUrl } from "node:inspector";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { entryFile } from "../../package-files.ts";
import { memory, sharedMemory, watch } from "../under-way.ts";

export interface WatchdogOptions {
  readonly limitMs: number;
  /** The identity under which this process holds its runs. */
  readonly processId: string;
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly log: { readonly format: "auto" | "pretty" | "json"; readonly terminal: boolean };
}

/** What the thread gets; plain values, because it shares nothing else with this one. */
export interface ThreadOptions extends WatchdogOptions {
  readonly sharedMemory: SharedArrayBuffer;
  readonly tickMs: number;
}

const MAX_TICK_MS = 500;
const TICKS_PER_LIMIT = 20;

// Code that the last start has compiled needs no stripper of types, which would be more than half of the thread's memory.
const WITH_COMPILE_CACHE = `require("node:module").enableCompileCache();`;

/** A thread that ends this process when its event loop stands still for longer than the limit. */
export function startWatchdog(
  options: WatchdogOptions,
  intercept?: (label: string, part: string) => void,
): { stop(): Promise<void> } {
  const tickMs = Math.min(MAX_TICK_MS, options.limitMs / TICKS_PER_LIMIT);
  const beat = () => memory.beat(debuggerUrl() !== undefined);
  beat();
  watch(intercept);
  const timer = setInterval(beat, tickMs).unref();
  const entry = pathToFileURL(entryFile("watch-event-loop", import.meta.url)).href;
  const thread = new Worker(`${WITH_COMPILE_CACHE} import(${JSON.stringify(entry)});`, {
    eval: true,
    name: "watchdog",
    workerData: { ...options, sharedMemory, tickMs } satisfies ThreadOptions,
    // The heap's limits of the process are not this thread's: it holds nothing.
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    execArgv: [],
  });
  thread.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
