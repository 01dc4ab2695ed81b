import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DatabaseClock } from "../../src/storage/database-clock.ts";
import type { RawDb } from "../support/database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The real database, whose answers are taken late, as by a process that stood still meanwhile. */
function answeringAfter(delayMs: () => number, stepMs = () => 0): RawDb {
  const query = async (text: string) => {
    const answer = await database.pool.query(text);
    await sleep(delayMs());
    return { ...answer, rows: answer.rows.map(({ ms }) => ({ ms: Number(ms) + stepMs() })) };
  };
  return { query: query as unknown as RawDb["query"] };
}

it("does not fall behind because an answer was taken late", async () => {
  let delayMs = 0;
  const clock = new DatabaseClock(answeringAfter(() => delayMs));
  await clock.calibrate();
  const beforeMs = clock.nowMs() - performance.now();
  for (delayMs of [250, 1_200]) {
    await clock.calibrate();
    // Less than half of the shorter delay; the two readings may be some time apart.
    expect(Math.abs(clock.nowMs() - performance.now() - beforeMs)).toBeLessThan(100);
  }
});

it("follows a better reading, and a database whose clock has gone back", async () => {
  let [delayMs, stepMs] = [400, 0];
  const clock = new DatabaseClock(
    answeringAfter(
      () => delayMs,
      () => stepMs,
    ),
  );
  await clock.calibrate();
  const lateMs = clock.nowMs() - performance.now();
  delayMs = 0;
  await clock.calibrate();
  const goodMs = clock.nowMs() - performance.now();
  expect(goodMs - lateMs).toBeGreaterThan(300);
  stepMs = -60_000;
  await clock.calibrate();
  expect(clock.nowMs() - performance.now()).toBeLessThan(goodMs - 50_000);
});

it("takes a late first answer, which is better than none", async () => {
  const clock = new DatabaseClock(answeringAfter(() => 1_200));
  await clock.calibrate();
  expect(Number.isNaN(clock.nowMs())).toBe(false);
});

it("is read once for all who ask in one turn, and again for who asks later", async () => {
  let readings = 0;
  const query = async (text: string) => {
    readings += 1;
    return database.pool.query(text);
  };
  const clock = new DatabaseClock({ query: query as unknown as RawDb["query"] });
  const [first, second] = await Promise.all([clock.read(), clock.read()]);
  expect(second).toBe(first);
  expect(readings).toBe(1);
  expect(await clock.read()).toBeGreaterThan(first);
  expect(readings).toBe(2);
});
