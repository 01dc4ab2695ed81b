import { setTimeout as sleep } from "node:timers/promises";

/** Looks again and again until there is something to see; says what it waited for where nothing comes. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 10_000,
): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadlineMs) throw new Error(`After ${withinMs} ms still not: ${what}`);
    await sleep(10);
  }
}
