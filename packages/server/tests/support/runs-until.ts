import { setTimeout as sleep } from "node:timers/promises";

/** A limit only bounds hanging: on a crowded machine everything takes several times as long. */
const LEAST_PATIENCE_MS = 60_000;

/** Looks again and again until there is something to see; says what it waited for where nothing comes. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = LEAST_PATIENCE_MS,
): Promise<T> {
  const deadlineMs = performance.now() + Math.max(withinMs, LEAST_PATIENCE_MS);
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadlineMs) throw new Error(`Still not: ${what}`);
    await sleep(10);
  }
}
