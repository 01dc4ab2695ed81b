import { beforeEach, describe, expect, it } from "vitest";
import { Workload } from "../../src/lifecycle/workload.ts";

const LOOK_MS = 100;

let nowMs: number;
let waitingCount: number;
let admit: () => void;
let workload: Workload;

beforeEach(() => {
  nowMs = 1_000;
  waitingCount = 0;
  const pool = {
    get waitingCount() {
      return waitingCount;
    },
    connect: () =>
      new Promise<{ release(): void }>((resolve) => {
        admit = () => resolve({ release: () => {} });
      }),
  };
  workload = new Workload({ pool, nowMs: () => nowMs, mostInHand: 2 });
});

/** The timer fires, so many milliseconds later than it should. */
function look(lateMs = 0): boolean {
  nowMs += LOOK_MS + lateMs;
  workload.look();
  return workload.overloaded;
}

describe("too much work", () => {
  it("is as many requests in hand as are allowed, until one is answered", () => {
    workload.begin();
    expect(workload.overloaded).toBe(false);
    workload.begin();
    expect(workload.overloaded).toBe(true);
    workload.end();
    expect(workload.overloaded).toBe(false);
  });

  it("is an event loop that comes late again and again, not once", () => {
    expect(look(350)).toBe(false);
    expect(look(350)).toBe(true);
    expect(look()).toBe(false);
  });

  it("is a long wait for a connection, until the line moves", async () => {
    waitingCount = 5;
    expect(look()).toBe(false);
    for (let looks = 0; looks < 5; looks++) expect(look()).toBe(false);
    expect(look()).toBe(true);
    admit();
    waitingCount = 0;
    await Promise.resolve();
    await Promise.resolve();
    expect(look()).toBe(false);
  });

  it("is no pool that is merely used to the full", async () => {
    waitingCount = 5;
    for (let looks = 0; looks < 20; looks++) {
      expect(look()).toBe(false);
      admit();
      await Promise.resolve();
      await Promise.resolve();
    }
  });
});
