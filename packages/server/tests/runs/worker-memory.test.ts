import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { ClaimedRun } from "../../src/domain/run.ts";
import { WorkerMemory } from "../../src/engine/run-memory.ts";
import { SharedMemory } from "../../src/lifecycle/shared-memory.ts";

const BUDGET = 64_000_000;

function memoryOf(budgetBytes = BUDGET) {
  const shared = new SharedMemory(budgetBytes);
  const memory = new WorkerMemory(shared);
  const open = (organizationId: string, text = "") =>
    memory.open({ organizationId, data: { text }, payloadLength: 0 } as unknown as ClaimedRun);
  /** Runs that have held so much and ended. */
  const learn = (organizationId: string, bytes: number, times: number) => {
    for (let at = 0; at < times; at += 1) {
      const run = open(organizationId);
      run.add(bytes);
      run.close();
    }
  };
  return { shared, memory, open, learn };
}

it("begins as many runs as there is room for, going by what the last ones held", () => {
  const { memory, learn } = memoryOf();
  expect(memory.roomFor("org_new")).toBe(48);
  learn("org_slight", 10_000, 50);
  expect(memory.roomFor("org_slight")).toBeGreaterThan(256);
  learn("org_heavy", 20_000_000, 50);
  expect(memory.roomFor("org_heavy")).toBe(2);
});

it("does not expect the next runs to be large because one was", () => {
  const { memory, learn } = memoryOf();
  learn("org_a", 10_000, 100);
  learn("org_a", 90_000_000, 1);
  expect(memory.roomFor("org_a")).toBeGreaterThan(4);
  learn("org_a", 10_000, 40);
  expect(memory.roomFor("org_a")).toBeGreaterThan(256);
});

it("counts what has begun for what it will come to hold", () => {
  const { memory, open, learn } = memoryOf();
  learn("org_a", 10_000_000, 100);
  expect(memory.roomFor("org_a")).toBe(4);
  for (let at = 0; at < 4; at += 1) open("org_a");
  expect(memory.roomFor("org_a")).toBe(0);
  expect(memory.roomFor("org_b")).toBeGreaterThan(40);
});

it("names those that it has less room for than their places, and no others", () => {
  const { memory, learn } = memoryOf();
  learn("org_heavy", 20_000_000, 50);
  learn("org_slight", 1_000, 200);
  const rooms = { newcomer: 192, greed: 3, organizationIds: ["org_slight"], rooms: [7] };
  expect(memory.limit(rooms)).toEqual({
    newcomer: 192,
    greed: 3,
    organizationIds: ["org_slight", "org_heavy"],
    rooms: [7, 2],
  });
});

it("what waits for its own organization keeps no other from loading", async () => {
  const { open, learn } = memoryOf();
  learn("org_a", 90_000_000, 50);
  const loaded: string[] = [];
  const load = (organizationId: string) =>
    open(organizationId).load(async () => {
      loaded.push(organizationId);
      return { records: [] };
    });
  const holder = open("org_a");
  holder.add(60_000_000);
  open("org_a").add(60_000_000);
  const waiting = Array.from({ length: 20 }, () => load("org_a"));
  await load("org_b");
  expect(loaded).toEqual(["org_b"]);
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect(loaded).toEqual(["org_b"]);
  void waiting;
});

it("counts what was loaded", async () => {
  const { memory, open } = memoryOf();
  const run = open("org_a");
  const record = { nodeKey: "a", output: { text: "x".repeat(30_000_000) } };
  await run.load(async () => ({ records: [record as never] }));
  // Three of four bytes that are left beside it; it is the first, so it takes none of them.
  expect(memory.roomFor("org_a")).toBe(40);
  run.close();
});

it("reads what runs brought when there is room for it, and no more at once", async () => {
  const { shared, memory } = memoryOf();
  const lists = `[${Array(20_000).fill("[[1]]").join(",")}]`;
  const run = {
    organizationId: "org_a",
    payloadLength: lists.length,
    unread: { data: `{"lists":${lists}}` },
  } as unknown as ClaimedRun;
  const open = memory.open(run);
  const other = memory.open({ organizationId: "org_b", payloadLength: 0 } as ClaimedRun);
  other.add(40_000_000);
  const holder = memory.open({ organizationId: "org_a", payloadLength: 0 } as ClaimedRun);
  holder.add(63_000_000);
  let taken: ClaimedRun | undefined;
  const taking = Promise.resolve(open.take(run)).then((whole) => (taken = whole));
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(taken).toBeUndefined();
  other.close();
  holder.close();
  const whole = await taking;
  expect(whole.data).toEqual({ lists: JSON.parse(lists) });
  expect(whole.unread).toBeUndefined();
  expect(shared.bytes).toBeGreaterThan(2_000_000);
  open.close();
});

it("takes what is small as it comes", () => {
  const { memory } = memoryOf();
  const run = { organizationId: "org_a", data: { a: 1 }, payloadLength: 7 } as unknown as ClaimedRun;
  expect(memory.open(run).take(run)).toBe(run);
});
