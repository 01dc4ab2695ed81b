import { describe, expect, it } from "vitest";
import { scheduleProblem } from "../../src/domain/cron.ts";
import { parseLifetimeMs } from "../../src/domain/lifetime.ts";
import { toPeriod } from "../../src/domain/period.ts";
import { retryDelayMs } from "../../src/domain/run.ts";
import { isTestVersion, nextVersion, testVersion, versionDay } from "../../src/domain/version-number.ts";

const DAY_MS = 86_400_000;

describe("a lifetime", () => {
  it.each([
    ["30m", 1_800_000],
    ["12h", 43_200_000],
    ["90d", 90 * DAY_MS],
    ["4w", 28 * DAY_MS],
    ["3650d", 3_650 * DAY_MS],
    ["3651d", undefined],
    ["1.5h", undefined],
    ["5y", undefined],
    ["", undefined],
  ])("of %j is %s ms", (text, lifetimeMs) => expect(parseLifetimeMs(text)).toBe(lifetimeMs));
});

describe("a schedule", () => {
  it.each([
    ["0 3 * * *", "UTC", undefined],
    ["0 3 * * *", "Europe/Istanbul", undefined],
    [
      "0 3 * * *",
      "Mars/Olympus",
      { field: "timezone", message: expect.stringContaining("unknown time zone") },
    ],
    ["0 3 31 2 *", "UTC", { field: "cron", message: "never happens" }],
    ["every day", "UTC", { field: "cron", message: expect.stringContaining("five fields") }],
    ["* * * * * *", "UTC", { field: "cron", message: expect.stringContaining("five fields") }],
  ])("%s in %s: %j", (cron, timezone, problem) => expect(scheduleProblem(cron, timezone)).toEqual(problem));
});

it("what is no period is an error", () => {
  for (const text of ["soon", "3y", ""]) expect(() => toPeriod(text, 0)).toThrow(RangeError);
});

it("a failed run waits twice as long each time, a minute at most", () => {
  expect([1, 2, 3, 7, 20].map((attempt) => retryDelayMs(attempt, 1))).toEqual([
    1_000, 2_000, 4_000, 60_000, 60_000,
  ]);
  expect(retryDelayMs(1, 0)).toBe(500);
});

it("versions count within a day of UTC", () => {
  expect(nextVersion(versionDay(new Date("2026-03-09T23:59:59Z")), 2)).toBe("20260309.3");
});

it("what was run without being published has a version that is known as such", () => {
  expect(testVersion("0123456789abcdef0123")).toBe("test-0123456789abcdef");
  expect(["test-0123456789abcdef", "20260101.1"].map(isTestVersion)).toEqual([true, false]);
});
