import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Holding, SharedMemory } from "../../src/lifecycle/shared-memory.ts";

const BUDGET = 1_024_000;
/** What is smaller never waits. */
const SMALL = 1_000;

/** What goes on when there is room again, told in the order in which it does. */
function waitingFor(told: string[], name: string, holding: Holding): void {
  void holding.room()?.then(() => told.push(name));
}

/** Each look lets one go on. */
async function untilAllHaveLooked(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}

it("lets the oldest one go on that holds much, and others when there is room for their organization", async () => {
  const memory = new SharedMemory(BUDGET);
  const [first, second, third] = [memory.open("org_a"), memory.open("org_a"), memory.open("org_a")];
  first.add(2 * BUDGET);
  second.add(400_000);
  third.add(400_000);
  expect(first.room()).toBeUndefined();
  const told: string[] = [];
  waitingFor(told, "second", second);
  waitingFor(told, "third", third);
  await untilAllHaveLooked();
  expect(told).toEqual([]);
  // Now the second is the first, and the third leaves enough.
  first.close();
  await untilAllHaveLooked();
  expect(told).toEqual(["second", "third"]);
});

it("takes nothing from others for the one that never waits", () => {
  const memory = new SharedMemory(BUDGET);
  memory.open("org_a").add(3 * BUDGET);
  expect(memory.leftFor("org_b", 0)).toBe((BUDGET * 3) / 4);
  const other = memory.open("org_b");
  other.add(BUDGET / 2);
  expect(other.room()).toBeUndefined();
});

it("never lets what is small wait, whatever others hold", () => {
  const memory = new SharedMemory(BUDGET);
  for (const _run of [1, 2]) memory.open("org_a").add(BUDGET);
  const small = memory.open("org_a");
  small.add(SMALL);
  expect(small.room()).toBeUndefined();
  small.add(1);
  expect(small.room()).toBeInstanceOf(Promise);
  small.add(-1);
  expect(small.room()).toBeUndefined();
});

it("leaves something for an organization that holds little, beside one that holds everything", () => {
  const memory = new SharedMemory(BUDGET);
  for (const _run of [1, 2]) memory.open("org_a").add(BUDGET);
  expect(memory.leftFor("org_a", 0)).toBe(0);
  expect(memory.leftFor("org_b", 0)).toBe(BUDGET / 64);
  const other = memory.open("org_b");
  other.add(BUDGET / 64);
  expect(other.room()).toBeUndefined();
  other.add(1);
  expect(other.room()).toBeInstanceOf(Promise);
});

it("gives one organization three quarters, and expects of what has begun what it is told to", () => {
  const memory = new SharedMemory(BUDGET);
  expect(memory.leftFor("org_a", 0)).toBe((BUDGET * 3) / 4);
  expect(memory.leftFor("org_a", 500_000)).toBe((BUDGET * 3) / 4 - 500_000);
});

it("wakes whoever waits when it is closed, and forgets it", async () => {
  const memory = new SharedMemory(BUDGET);
  for (const _run of [1, 2]) memory.open("org_a").add(BUDGET);
  const second = memory.open("org_a");
  second.add(SMALL + 1);
  const told: string[] = [];
  waitingFor(told, "second", second);
  second.close();
  await untilAllHaveLooked();
  expect(told).toEqual(["second"]);
  expect(memory.bytes).toBe(2 * BUDGET);
});
