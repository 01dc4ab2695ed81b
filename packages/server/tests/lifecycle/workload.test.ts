import { beforeEach, describe, expect, it } from "vitest";
import { Workload } from "../../src/lifecycle/workload.ts";

const MEASURE_EVERY_MS = 100;

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
  workload = new Workload({ pool, nowMs: () => nowMs, maxInHand: 2 });
});

/** The timer fires; whether one more request is then taken. */
function measure(): boolean {
  nowMs += MEASURE_EVERY_MS;
  workload.measure();
  return workload.takesMore();
}

function begin(count: number): void {
  for (let begun = 0; begun < count; begun++) workload.begin();
}

describe("a burst", () => {
  it("is taken up to its limit, and again when some of it is done", () => {
    begin(7);
    expect(workload.takesMore()).toBe(true);
    begin(1);
    expect(workload.takesMore()).toBe(false);
    workload.end();
    expect(workload.takesMore()).toBe(true);
  });

  it("that does not end is no burst: less is taken until nothing was refused for a while", () => {
    begin(3);
    for (let times = 0; times < 5; times++) expect(measure()).toBe(true);
    expect(measure()).toBe(false);
    workload.end();
    workload.end();
    expect(workload.takesMore()).toBe(true);
    begin(1);
    expect(measure()).toBe(false);
    workload.end();
    for (let times = 0; times < 12; times++) measure();
    begin(2);
    expect(workload.takesMore()).toBe(true);
  });

  it("that is worked off and comes again is taken again", () => {
    for (let bursts = 0; bursts < 20; bursts++) {
      begin(3);
      expect(measure()).toBe(true);
      for (let ended = 0; ended < 3; ended++) workload.end();
      expect(measure()).toBe(true);
    }
  });
});

describe("too much work", () => {
  it("is a long wait for a connection, until the pool has one", async () => {
    waitingCount = 5;
    for (let times = 0; times < 6; times++) expect(measure()).toBe(true);
    expect(measure()).toBe(false);
    admit();
    waitingCount = 0;
    await Promise.resolve();
    await Promise.resolve();
    expect(measure()).toBe(true);
  });

  it("is no pool that is merely used to the full", async () => {
    waitingCount = 5;
    for (let times = 0; times < 20; times++) {
      expect(measure()).toBe(true);
      admit();
      await Promise.resolve();
      await Promise.resolve();
    }
  });
});
