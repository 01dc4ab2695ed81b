import { expect, it } from "vitest";
import { minuteIds, toCountedTime } from "../../src/domain/counted-time.ts";
import { idTimeMs } from "../../src/domain/ids.ts";

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const asked = (fromMs?: number, toMs?: number, maxDays = 1) =>
  toCountedTime({ fromMs, toMs }, { nowMs, defaultMs: 3_600_000, maxDays });

it("counts whole minutes, up to the one that has begun", () => {
  const time = asked();
  expect(new Date(time.fromMs).toISOString()).toBe("2026-01-02T02:04:00.000Z");
  expect(new Date(time.endMs).toISOString()).toBe("2026-01-02T03:05:00.000Z");
  const ids = minuteIds(time);
  expect([ids.length, ids[0], idTimeMs(ids.at(-1)!)]).toEqual([61, time.lowestId, time.endMs - 60_000]);
});

it("never counts the future, nor backwards", () => {
  expect(asked(nowMs - 60_000, nowMs + 1e9).endMs).toBe(asked().endMs);
  expect(minuteIds(asked(nowMs + 600_000))).toEqual([]);
});

it("refuses more than it may look at", () => {
  expect(asked(nowMs - 86_400_000).fromMs).toBe(Date.UTC(2026, 0, 1, 3, 4));
  const message = (maxDays: number) => {
    try {
      asked(0, undefined, maxDays);
      return undefined;
    } catch (error) {
      return (error as { details: { issues: { message: string }[] } }).details.issues[0]!.message;
    }
  };
  expect(message(1)).toContain("1 day before");
  expect(message(31)).toContain("31 days before");
});
