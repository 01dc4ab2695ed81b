import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { CompiledFlow } from "../../src/domain/flow/compile.ts";
import type { ClaimedRun } from "../../src/domain/run.ts";
import { WorkerMemory } from "../../src/engine/run-memory.ts";
import { SharedMemory } from "../../src/lifecycle/shared-memory.ts";

const MB = 1_000_000;
const flowOf = (bytes: number) => ({ bytes }) as CompiledFlow;

function workerOf(budgetBytes: number) {
  const shared = new SharedMemory(budgetBytes);
  const memory = new WorkerMemory(shared);
  const open = () => memory.open({ organizationId: "org_a", payloadLength: 0 } as ClaimedRun);
  return { shared, open };
}

it("counts a large flow once for all its runs, and for as long as there is one", async () => {
  const { shared, open } = workerOf(100 * MB);
  const flow = flowOf(10 * MB);
  const runs = [open(), open(), open()];
  for (const run of runs) expect(await run.flow(async () => flow)).toBe(flow);
  expect(shared.bytes).toBe(10 * MB);
  runs[0]!.close();
  expect(shared.bytes).toBe(10 * MB);
  runs[2]!.close();
  expect(shared.bytes).toBe(10 * MB);
  runs[1]!.close();
  expect(shared.bytes).toBe(0);
});

it("counts the copies of a flow that was let go of and read again", async () => {
  const { shared, open } = workerOf(100 * MB);
  const [first, second] = [open(), open()];
  await first.flow(async () => flowOf(10 * MB));
  const copies = [flowOf(10 * MB), flowOf(11 * MB)];
  await second.flow(async () => copies.shift()!);
  expect(shared.bytes).toBe(21 * MB);
  first.close();
  second.close();
  expect(shared.bytes).toBe(0);
});

it("lets a run wait for room before it takes its flow", async () => {
  const { open } = workerOf(10 * MB);
  const [first, second] = [open(), open()];
  await first.flow(async () => flowOf(9 * MB));
  const taken: string[] = [];
  const flow = flowOf(9 * MB);
  const waiting = second.flow(async () => flow).then(() => taken.push("second"));
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(taken).toEqual([]);
  first.close();
  await waiting;
  expect(taken).toEqual(["second"]);
  second.close();
});

it("takes small flows as they come", async () => {
  const { shared, open } = workerOf(10 * MB);
  const run = open();
  const flow = flowOf(10_000);
  expect(await run.flow(async () => flow)).toBe(flow);
  expect(shared.bytes).toBe(0);
  run.close();
});
