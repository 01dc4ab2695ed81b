import { expect, it } from "vitest";
import { freshCache, remember } from "../../src/domain/fresh-cache.ts";

it("what was read is shared until it is no longer fresh, and what failed is read again", async () => {
  let nowMs = 1_000;
  let reads = 0;
  const cache = freshCache<Promise<number>>({ maxEntries: 10, freshMs: 100, clock: { now: () => nowMs } });
  const read = () => remember(cache, "a", async () => (reads += 1));
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  nowMs += 101;
  expect(await read()).toBe(2);
  const failing = () => remember(cache, "b", () => Promise.reject(new Error("away")));
  await expect(failing()).rejects.toThrow("away");
  expect(await remember(cache, "b", async () => 7)).toBe(7);
});
