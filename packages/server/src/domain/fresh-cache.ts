import { LRUCache } from "lru-cache";

/** Time that only goes forward, in milliseconds: `performance`, or what a test holds instead. */
export interface Stopwatch {
  now(): number;
}

export type FreshCache<Value extends {}> = LRUCache<string, Value>;

/**
 * Values that are trusted for `freshMs` after they were put, unless they bring a time of their own. Where there are too
 * many, the one unused for longest goes.
 */
export function freshCache<Value extends {}>({
  maxEntries,
  freshMs,
  clock,
}: {
  readonly maxEntries: number;
  readonly freshMs: number;
  readonly clock: Stopwatch;
}): FreshCache<Value> {
  return new LRUCache({ ...upTo(maxEntries), ...freshFor(freshMs, clock) });
}

/** Trusted for so long after it was put. */
export const freshFor = (freshMs: number, clock: Stopwatch) => ({
  ttl: freshMs,
  ttlResolution: 0,
  perf: clock,
});

/** At most so many entries. `max` would set memory aside for all of them at every start. */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });

/** What is read is shared by those who ask meanwhile; what fails is asked for again by the next caller. */
export function remember<Value>(
  cache: FreshCache<Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = cache.get(key);
  if (known) return known;
  const value = read();
  cache.set(key, value);
  value.catch(() => cache.delete(key));
  return value;
}
