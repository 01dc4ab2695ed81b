import { setTimeout as sleep } from "node:timers/promises";
import type { Mix } from "./mix.ts";

/** More than this at once means that the service does not keep up; what is due then is left out and counted. */
const MAX_AT_ONCE = 1_000;
/** Long before that somebody looks at what everybody waits for; once, until the crowd is gone again. */
const CROWD = { from: 400, goneBelow: 100 };
const TICK_MS = 5;

export interface Pace {
  readonly done: number;
  readonly leftOut: number;
  readonly failures: ReadonlyMap<string, number>;
}

// Streams and chats take seconds and wait most of the time: enough others keep the service busy meanwhile.
const FULL_LOAD_AT_ONCE = 256;

/** How much of the mix the service takes when everybody asks again as soon as they are answered. */
export async function capacityOf(mix: Mix, seconds: number): Promise<number> {
  const startedAtMs = performance.now();
  let done = 0;
  const askAgain = async (): Promise<void> => {
    while (performance.now() - startedAtMs < seconds * 1000) {
      await mix.once();
      done++;
    }
  };
  await Promise.all(Array.from({ length: FULL_LOAD_AT_ONCE }, askAgain));
  return (done * 1000) / (performance.now() - startedAtMs);
}

/** So many things a second, whatever the answers do, until told to stop. */
export class PacedLoad {
  readonly #mix: Mix;
  readonly #perSecond: number;
  readonly #onCrowd: () => void;
  readonly #failures = new Map<string, number>();
  readonly #underWay = new Set<Promise<void>>();
  #done = 0;
  #leftOut = 0;
  #crowded = false;
  #stopped = false;

  constructor(mix: Mix, perSecond: number, onCrowd: () => void) {
    this.#mix = mix;
    this.#perSecond = perSecond;
    this.#onCrowd = onCrowd;
  }

  get state(): Pace {
    return { done: this.#done, leftOut: this.#leftOut, failures: this.#failures };
  }

  async run(): Promise<void> {
    const startedAtMs = performance.now();
    let due = 0;
    while (!this.#stopped) {
      const soFar = ((performance.now() - startedAtMs) / 1000) * this.#perSecond;
      for (; due < soFar; due++) this.#begin();
      this.#lookAtCrowd();
      await sleep(TICK_MS);
    }
    await Promise.all(this.#underWay);
  }

  stop(): void {
    this.#stopped = true;
  }

  #lookAtCrowd(): void {
    if (this.#underWay.size < CROWD.goneBelow) this.#crowded = false;
    if (this.#crowded || this.#underWay.size < CROWD.from) return;
    this.#crowded = true;
    this.#onCrowd();
  }

  #begin(): void {
    if (this.#underWay.size >= MAX_AT_ONCE) return void this.#leftOut++;
    const work = this.#mix
      .once()
      .then(() => void this.#done++)
      .catch((error: Error) => {
        this.#failures.set(error.message, (this.#failures.get(error.message) ?? 0) + 1);
      })
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }
}
