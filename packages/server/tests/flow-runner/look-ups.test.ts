import { expect, test, vi } from "vitest";
import type { NodeServices } from "../../src/engine/nodes/node-type.ts";
import { DurableRun } from "./support/durable-run.ts";
import { graphOf, inside, node, run, type Sent } from "./support/test-flow.ts";

/** A store in which every look finds something else. */
function changingStore(): NodeServices {
  let looks = 0;
  let nowMs = 1_000;
  const store = { get: async () => (looks += 1), set: async () => {} };
  return { now: () => (nowMs += 10), store } as unknown as NodeServices;
}

const get = (id: string) => node(id, "store", { operation: "get", key: id });
const start = node("start", "start");

test("what was looked up is saved with what comes next, not by itself", async () => {
  const graph = graphOf(
    [start, get("a"), get("b"), node("end", "set", { values: {} })],
    "start a \n a b \n b end",
  );
  const { saved, outcome } = await run(graph, { services: changingStore() });
  expect(saved).toEqual([]);
  expect(outcome.kind).toBe("completed");
  expect(outcome.records.map(({ nodeKey }) => nodeKey)).toEqual(["start", "a", "b", "end"]);
});

test("what is changed in the store is saved before anything follows, with what was looked up before it", async () => {
  const set = node("set", "store", { operation: "set", key: "k", value: 1 });
  const { saved } = await run(graphOf([start, get("a"), set, get("b")], "start a \n a set \n set b"), {
    services: changingStore(),
  });
  expect(saved.map((records) => records.map(({ nodeKey }) => nodeKey))).toEqual([["start", "a"], ["set"]]);
});

test("an effect sends the same again after a lost worker, whatever a second look would find", async () => {
  const post = node("post", "post", { value: "{{ nodes.a.value }}", hangs: true });
  const durable = new DurableRun(graphOf([start, get("a"), post], "start a \n a post"), {
    services: changingStore(),
  });
  for (let lost = 1; lost <= 2; lost++) await durable.goUntilLost(() => durable.sent.length === lost);
  expect(durable.sent).toEqual([
    { nodeKey: "post", value: 1 },
    { nodeKey: "post", value: 1 },
  ]);
});

test("a save that another branch has begun is awaited too", async () => {
  const begun = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const sent: Sent[] = [];
  const services = {
    now: Date.now,
    store: { get: async () => 1 },
    // Pure, and ends once what was looked up is on its way to the database.
    sandbox: { run: () => begun.promise.then(() => ({ value: {}, logs: [] })) },
  } as unknown as NodeServices;
  const graph = graphOf(
    [
      start,
      get("a"),
      node("pure", "code", { source: "return {}" }),
      node("late", "post"),
      node("other", "post"),
    ],
    "start a \n a pure \n pure late \n start other",
  );
  await run(graph, {
    services,
    sent,
    checkpoints: {
      restored: new Map(),
      save: async (records) => {
        if (!records.some(({ nodeKey }) => nodeKey === "a")) return;
        begun.resolve();
        await arrived.promise;
        sent.push({ nodeKey: "saved", value: null });
      },
    },
    onNode: ({ nodeKey, status }) => {
      // Long after it would have been sent, however slow the machine is: that is the earlier timer.
      if (nodeKey === "late" && status === "EXECUTING") setTimeout(arrived.resolve, 50);
    },
  });
  expect(sent.map(({ nodeKey }) => nodeKey)).toEqual(["other", "saved", "late"]);
});

test("where it cannot be saved, no effect begins and nobody waits", async () => {
  for (const next of [
    node("x", "post"),
    node("x", "suspend"),
    node("x", "for-each", { items: [1] }, { timeoutSeconds: 60 }),
  ]) {
    const sent: Sent[] = [];
    const child = next.type === "for-each" ? [inside("x", node("in", "post"))] : [];
    const running = run(graphOf([start, get("a"), next, ...child], "start a \n a x"), {
      sent,
      services: changingStore(),
      waits: {
        begin: async ({ nodeKey }) => {
          sent.push({ nodeKey, value: "waits" });
          return new Promise(() => {});
        },
        expiryOf: () => undefined,
        end: () => {},
        suspend: () => {},
        withdraw: async () => {},
      },
      checkpoints: {
        restored: new Map(),
        save: async () => {
          throw new Error("The database is away");
        },
      },
    });
    await expect(running).rejects.toThrow("The database is away");
    expect(sent).toEqual([]);
  }
});

test("a run that goes on for long saves what it has looked up on the way", async () => {
  const waiting = Promise.withResolvers<number>();
  const services = {
    now: Date.now,
    store: { get: async (_organization: string, key: string) => (key === "b" ? waiting.promise : 1) },
  } as unknown as NodeServices;
  const saved: string[][] = [];
  const running = run(graphOf([start, get("a"), get("b")], "start a \n a b"), {
    services,
    checkpoints: {
      restored: new Map(),
      save: async (records) => void saved.push(records.map(({ nodeKey }) => nodeKey)),
    },
  });
  await vi.waitFor(() => expect(saved).toEqual([["start", "a"]]), { timeout: 20_000, interval: 50 });
  waiting.resolve(2);
  expect((await running).outcome.records.map(({ nodeKey }) => nodeKey)).toEqual(["b"]);
});
