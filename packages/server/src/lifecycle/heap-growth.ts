import { createHook } from "node:async_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { collector } from "./young-generation.ts";

const mostBytes = 100_000_000;
const lookMs = 100;
/** Older ones cannot keep code in a pause, and let collections of the young generation and marking overlap anyway. */
const isRecentV8 = Number.parseInt(process.versions.v8, 10) >= 13;
const firstPauseMs = 22_000;
/** Of the process. Normal load takes 300 MB. */
const largeBytes = 350_000_000;
const veryLargeBytes = 400_000_000;
/** Of the old generation. Normal load takes 70 MB. */
const grownBytes = 90_000_000;
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
  let percent = 0;
  let givesBack = true;
  // V8 looks for what it can give back, also its own stock of pages, although there is something to do.
  const keepSmall = new Switch("optimize-for-size", false);
  // What of the heap is not marked yet is marked in one go when the young generation is full: much, where it has grown.
  const markAtOnce = new Switch("separate-gc-phases", isRecentV8);
  setInterval(() => {
    const oldBytes = oldGenerationBytes();
    const rssBytes = process.memoryUsage.rss();
    const before = percent;
    percent = percentFor(oldBytes);
    if (percent !== before) setFlagsFromString(`--heap-growing-percent=${percent}`);
    keepSmall.turn(rssBytes > veryLargeBytes);
    markAtOnce.turn(isRecentV8 && oldBytes < grownBytes);
    if (givesBack === (rssBytes > largeBytes || !mayKeepCode())) return;
    givesBack = !givesBack;
    for (const flag of inPauses[givesBack ? "giveBack" : "keepCode"]) setFlagsFromString(flag);
  }, lookMs).unref();
}

/** A flag of V8 that is told only what is new. */
class Switch {
  readonly #name: string;
  #isOn: boolean;

  constructor(name: string, isOn: boolean) {
    this.#name = name;
    this.#isOn = isOn;
  }

  turn(isOn: boolean): void {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    setFlagsFromString(isOn ? `--${this.#name}` : `--no-${this.#name}`);
  }
}

/**
 * In a pause V8 gives back whatever it can, compiled code as well, and whoever comes next waits until that is compiled again.
 * So it does that right after the start and where the process has become large; after any other pause it is as fast as before.
 */
function mayKeepCode(): boolean {
  return isRecentV8 && performance.now() >= firstPauseMs;
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
