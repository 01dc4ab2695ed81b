import { createHook } from "node:async_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { collector } from "./young-generation.ts";

const mostBytes = 100_000_000;
const lookMs = 100;
/** Older versions of V8 do not know how. */
const canKeepCode = Number.parseInt(process.versions.v8, 10) >= 13;
const firstPauseMs = 22_000;
/** Normal load takes 300 MB. */
const largeBytes = 350_000_000;
/** Makes V8 look for what it can give back, also its own stock of pages, although there is something to do. */
const keepSmall = "optimize-for-size";
/** What V8 does where there is little to do: how it is made, and how soon it begins. */
const inPauses = {
  keepCode: ["--no-memory-reducer-favors-memory", "--gc-memory-reducer-start-delay-ms=8000"],
  giveBack: ["--memory-reducer-favors-memory", "--gc-memory-reducer-start-delay-ms=500"],
};
const percents = { least: 20, most: 300, step: 20 };

/**
 * V8 lets a heap grow to up to four times what is in use before it cleans up, which is fine for a small one. What it is
 * told here takes effect at its next full collection. Nobody knows how much that one will leave, so it counts as if everything stayed.
 */
export function limitHeapGrowth(): void {
  // So little survives in the young generation that threads sharing the work would mostly wait for each other.
  setFlagsFromString("--no-parallel-scavenge");
  // Whatever of the heap is not marked yet would be marked in one go as soon as the young generation is full.
  setFlagsFromString("--no-separate-gc-phases");
  let percent = 0;
  let givesBack = true;
  let isLarge = false;
  setInterval(() => {
    const before = percent;
    percent = percentFor(oldGenerationBytes());
    if (percent !== before) setFlagsFromString(`--heap-growing-percent=${percent}`);
    const wasLarge = isLarge;
    isLarge = process.memoryUsage.rss() > largeBytes;
    if (isLarge !== wasLarge) setFlagsFromString(isLarge ? `--${keepSmall}` : `--no-${keepSmall}`);
    if (givesBack === (isLarge || !mayKeepCode())) return;
    givesBack = !givesBack;
    for (const flag of inPauses[givesBack ? "giveBack" : "keepCode"]) setFlagsFromString(flag);
  }, lookMs).unref();
}

/**
 * In a pause V8 gives back whatever it can, compiled code as well, and whoever comes next waits until that is compiled again.
 * So it does that right after the start and where the process has become large; after any other pause it is as fast as before.
 */
function mayKeepCode(): boolean {
  return canKeepCode && performance.now() >= firstPauseMs;
}

/**
 * Collects what loading the program has left behind. From then on V8 looks by itself whenever there has been nothing to do for
 * seconds; before the first collection it keeps all of it for ever.
 */
export function collectFirst(): Promise<void> {
  keepOneTick();
  return collector()({ type: "major", execution: "async" }) as Promise<void>;
}

const keptTicks: object[] = [];

/**
 * V8 forgets what objects of a kind look like once a collection finds none of them. What `process.nextTick` makes it has known
 * since Node was built, and never learns it again as well: each call would cost ten times as much from then on. So one is kept.
 */
function keepOneTick(): void {
  const hook = createHook({
    init: (_id, type, _cause, resource) => {
      if (type === "TickObject") keptTicks.push(resource);
    },
  });
  hook.enable();
  process.nextTick(() => {});
  hook.disable();
}

function oldGenerationBytes(): number {
  const old = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith("new_"));
  return old.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

function percentFor(used: number): number {
  const { least, most, step } = percents;
  const percent = (100 * (mostBytes - used)) / used;
  return Math.round(Math.min(most, Math.max(least, percent)) / step) * step;
}
