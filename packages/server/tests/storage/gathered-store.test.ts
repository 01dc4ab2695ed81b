import { afterAll, beforeAll, expect, it } from "vitest";
import { composeNodeServices } from "../../src/compose/node-services.ts";
import type { AgentChat } from "../../src/engine/nodes/node-type.ts";
import type { Pool } from "pg";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addOrganization } from "../support/workspace.ts";
import { testSecretKey } from "../support/service.ts";

let database: TestDatabase;
let nodes: ReturnType<typeof composeNodeServices>;
const statements: unknown[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  for (const id of ["org_one", "org_two"]) await addOrganization(database.pool, id);
  const query = (statement: unknown, values?: unknown[]) => {
    statements.push(statement);
    return database.pool.query(statement as string, values);
  };
  nodes = composeNodeServices({
    pool: { query } as unknown as Pool,
    secrets: new SecretBox(testSecretKey),
    egressAllow: [],
    chat: {} as AgentChat,
    nowMs: Date.now,
  });
});
afterAll(async () => {
  await nodes.close();
  await database.drop();
});

it("looks up together what many runs want to know at the same moment, each its own", async () => {
  const { store } = nodes.services;
  await store.set("org_one", "a", { z: 1, a: [1, "zwei"] });
  await store.set("org_two", "a", "of two");
  await store.set("org_one", "nothing", null);
  statements.length = 0;
  const found = await Promise.all([
    store.get("org_one", "a"),
    store.get("org_two", "a"),
    store.get("org_one", "missing"),
    store.get("org_one", "nothing"),
    ...Array.from({ length: 200 }, () => store.get("org_one", "a")),
  ]);
  expect(found.slice(0, 4)).toEqual([{ z: 1, a: [1, "zwei"] }, "of two", undefined, null]);
  expect(new Set(found.slice(4).map((value) => JSON.stringify(value)))).toEqual(
    new Set(['{"z":1,"a":[1,"zwei"]}']),
  );
  expect(statements.length).toBeLessThanOrEqual(2);
});

it("reads large values one by one, also those that are small only as they are stored", async () => {
  const { store } = nodes.services;
  const flat = "x".repeat(1_000_000);
  const rich = Array.from({ length: 20_000 }, (_, at) => Math.sin(at));
  await store.set("org_one", "flat", flat);
  await store.set("org_one", "rich", rich);
  statements.length = 0;
  const [one, two, small] = await Promise.all([
    store.get("org_one", "flat"),
    store.get("org_one", "rich"),
    store.get("org_one", "a"),
  ]);
  expect([one, two, small]).toEqual([flat, rich, { z: 1, a: [1, "zwei"] }]);
  expect(statements).toHaveLength(3);
});

it("a key that the database cannot take costs only itself", async () => {
  const { store } = nodes.services;
  const found = await Promise.allSettled([store.get("org_one", "a"), store.get("org_one", "a\0")]);
  expect(found.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

it("sets together what many runs set at the same moment; of one key the last value stays", async () => {
  const { store } = nodes.services;
  statements.length = 0;
  await Promise.all([
    ...Array.from({ length: 200 }, (_, at) => store.set("org_one", `set ${at}`, { at })),
    store.set("org_one", "twice", "first"),
    store.set("org_one", "twice", 'last "quoted"'),
    store.set("org_two", "set 1", "of two"),
  ]);
  expect(statements.length).toBeLessThanOrEqual(4);
  expect(await store.get("org_one", "set 199")).toEqual({ at: 199 });
  expect(await store.get("org_one", "twice")).toBe('last "quoted"');
  expect(await store.get("org_two", "set 1")).toBe("of two");
  expect(await store.get("org_two", "set 2")).toBeUndefined();
});

it("counts every increment once, of one key and of many, and tells each what it made", async () => {
  const { store } = nodes.services;
  await store.set("org_one", "no number", "text");
  statements.length = 0;
  const counts = await Promise.all([
    store.increment("org_one", "no number", 2),
    store.increment("org_one", "fresh", 0.25),
    store.increment("org_two", "hot", 10),
    ...Array.from({ length: 100 }, (_, at) => store.increment("org_one", `cold ${at}`, at)),
  ]);
  expect(counts).toEqual([2, 0.25, 10, ...Array.from({ length: 100 }, (_, at) => at)]);
  expect(statements.length).toBeLessThanOrEqual(4);
  const hot = await Promise.all(Array.from({ length: 100 }, () => store.increment("org_one", "hot", 1)));
  expect(hot.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  expect(await store.get("org_one", "hot")).toBe(100);
  expect(await store.get("org_two", "hot")).toBe(10);
});

it("a change that the database cannot take costs only itself", async () => {
  const { store } = nodes.services;
  const ended = await Promise.allSettled([
    store.set("org_one", "good", 1),
    store.set("org_one", "bad\0", 1),
    store.increment("org_one", "good count", 1),
    store.increment("org_one", "bad\0", 1),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
  expect(await store.get("org_one", "good")).toBe(1);
});
