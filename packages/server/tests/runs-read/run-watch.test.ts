import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { IdMaker } from "../../src/domain/ids.ts";
import { RunWatch, type WatchedRun } from "../../src/operations/runs/run-watch.ts";
import type { RawDb } from "../support/database.ts";
import { findRun } from "../../src/storage/runs/find-run.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addCheckpoint, addRun, moveRun, nodeRecord } from "../support/runs.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addTwoOrganizations(database.pool);
});
afterAll(() => database.drop());

function watchWithCount(limits = { maxListeners: 5_000 }) {
  const queries: string[] = [];
  const query = (...call: [string, unknown[]]) => {
    queries.push(call[0]);
    return database.pool.query(...call);
  };
  return { queries, watch: new RunWatch({ db: { query } as unknown as RawDb, ...limits }) };
}

async function readRun(id: string): Promise<WatchedRun> {
  return (await findRun(database.pool, ["org_one", "org_two"], id))!;
}

type NodeValues = readonly [organizations: string[], runs: string[]];

/** A database in which statements that read nodes may be answered in another way. */
function watchWithNodes(answer: (values: NodeValues) => Promise<never> | undefined): RunWatch {
  const query = (call: string | { text: string; values: unknown[] }, given?: unknown[]) => {
    const { text, values } = typeof call === "string" ? { text: call, values: given } : call;
    const answered = text.includes("run_waits") ? answer(values as never) : undefined;
    return answered ?? database.pool.query(call as string, given);
  };
  return new RunWatch({ db: { query } as unknown as RawDb, maxListeners: 50 });
}

/** A run with one node that ends; what a listener is told of it. */
async function endedRun(
  watch: RunWatch,
  organizationId = "org_one",
  id = ids.make("run"),
): Promise<{ told: string[] }> {
  const flowId = organizationId === "org_one" ? "flow_one" : "flow_two";
  await addRun(database.pool, { id, status: "EXECUTING", organizationId, flowId });
  const told: string[] = [];
  watch.subscribe(await readRun(id), {
    onUpdate: ({ status }) => void told.push(status),
    onNodes: (changes) => void told.push(...changes.map(({ nodeKey, status }) => `${nodeKey} ${status}`)),
  });
  await addCheckpoint(database.pool, organizationId, id, nodeRecord("step", 1_000));
  await moveRun(database.pool, id, "COMPLETED");
  return { told };
}
const ids = new IdMaker(() => Date.now());
const everything = ["step EXECUTING", "step COMPLETED", "COMPLETED"];

it("an organization whose nodes take long to read delays nobody else", async () => {
  const watch = watchWithNodes(([organizations]) =>
    organizations.includes("org_two") ? new Promise<never>(() => {}) : undefined,
  );
  const slow = await endedRun(watch, "org_two");
  const first = await endedRun(watch);
  await watch.poll();
  await expect.poll(() => first.told).toEqual(everything);
  const second = await endedRun(watch);
  await watch.poll();
  await expect.poll(() => second.told).toEqual(everything);
  expect(slow.told).toEqual([]);
});

it("records that are too large to be read together are read run by run, and one that is too large alone still ends", async () => {
  const large = ids.make("run");
  const watch = watchWithNodes(([, runs]) =>
    runs.length > 1 || runs.includes(large)
      ? Promise.reject(Object.assign(new Error("statement timeout"), { code: "57014" }))
      : undefined,
  );
  const runs = [await endedRun(watch), await endedRun(watch, "org_one", large), await endedRun(watch)];
  await watch.poll();
  await expect
    .poll(() => runs.map(({ told }) => told.at(-1)))
    .toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
  expect(runs.map(({ told }) => told)).toEqual([everything, ["COMPLETED"], everything]);
});

it("a thousand listeners over ten runs cost one query a round", async () => {
  const { watch, queries } = watchWithCount();
  const ids = await Promise.all(Array.from({ length: 10 }, () => addRun(database.pool)));
  const runs = await Promise.all(ids.map(readRun));
  let told = 0;
  const everybody = Promise.withResolvers<void>();
  const unsubscribe = Array.from({ length: 1_000 }, (_, at) =>
    watch.subscribe(runs[at % 10]!, {
      onUpdate: ({ status }) => {
        expect(status).toBe("EXECUTING");
        if (++told === 1_000) everybody.resolve();
      },
    }),
  );
  await watch.poll();
  expect(told).toBe(0);
  queries.length = 0;
  await Promise.all(ids.map((id) => moveRun(database.pool, id, "EXECUTING")));
  for (const id of ids) watch.publish([{ organizationId: "org_one", id }]);
  await everybody.promise;
  expect(queries).toHaveLength(1);
  for (const stop of unsubscribe) stop();
  expect(watch.listeners).toBe(0);
  queries.length = 0;
  await watch.poll();
  watch.publish([{ organizationId: "org_one", id: ids[0]! }]);
  expect(queries).toEqual([]);
});

it("a poll finds every change, however slow the database was just before", async () => {
  let delayMs = 300;
  const slow = async (...call: [string, unknown[]]) => {
    await sleep(delayMs);
    return database.pool.query(...call);
  };
  const db = { query: slow } as unknown as RawDb;
  const watch = new RunWatch({ db, maxListeners: 5 });
  const id = await addRun(database.pool);
  const seen: string[] = [];
  watch.subscribe(await readRun(id), { onUpdate: ({ status }) => void seen.push(status) });
  await watch.poll();
  delayMs = 0;
  await moveRun(database.pool, id, "EXECUTING");
  await watch.poll();
  expect(seen).toEqual(["EXECUTING"]);
});

it("a change between reading a run and listening to it is not missed", async () => {
  const { watch } = watchWithCount();
  const id = await addRun(database.pool);
  const before = await readRun(id);
  await moveRun(database.pool, id, "EXECUTING");
  const update = Promise.withResolvers<WatchedRun>();
  watch.subscribe(before, { onUpdate: update.resolve });
  expect((await update.promise).status).toBe("EXECUTING");
});

it("listeners who joined at different times all end up with the same state, each told once", async () => {
  const { watch } = watchWithCount();
  const id = await addRun(database.pool);
  const old = await readRun(id);
  const told: Record<string, string[]> = { early: [], stale: [], fresh: [] };
  const listen = (name: string, run: WatchedRun) =>
    watch.subscribe(run, { onUpdate: ({ status }) => told[name]!.push(status) });
  listen("early", old);
  await watch.poll();
  await moveRun(database.pool, id, "EXECUTING");
  listen("fresh", await readRun(id));
  await watch.poll();
  listen("stale", old);
  await watch.poll();
  expect(told).toEqual({ early: ["EXECUTING"], stale: ["EXECUTING"], fresh: [] });
});

it("a database that fails for a while loses nothing", async () => {
  const id = await addRun(database.pool);
  let broken = true;
  const query = (...call: [string, unknown[]]) =>
    broken ? Promise.reject(new Error("no connection")) : database.pool.query(...call);
  const watch = new RunWatch({
    db: { query } as unknown as RawDb,
    maxListeners: 1,
  });
  const update = Promise.withResolvers<WatchedRun>();
  watch.subscribe(await readRun(id), { onUpdate: update.resolve });
  await moveRun(database.pool, id, "EXECUTING");
  watch.publish([{ organizationId: "org_one", id }]);
  await expect(watch.poll()).rejects.toThrow("no connection");
  broken = false;
  await watch.poll();
  expect((await update.promise).status).toBe("EXECUTING");
});

it("is full for one that has its share, then for all, and has room again afterwards", async () => {
  const { watch } = watchWithCount({ maxListeners: 3 });
  const run = await readRun(await addRun(database.pool));
  const listener = () => ({ onUpdate: () => {} });
  const first = watch.subscribe(run, listener());
  watch.subscribe(run, listener());
  expect(() => watch.refuseWhenFull("org_one")).toThrow("too_many_requests");
  watch.refuseWhenFull("org_two");
  watch.subscribe({ ...run, organizationId: "org_two", id: "run_other" }, listener());
  expect(() => watch.refuseWhenFull("org_three")).toThrow("too_many_requests");
  first();
  first();
  watch.refuseWhenFull("org_three");
});
