import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createReceiver } from "../../../../examples/receiver/receiver.ts";
import type { ReceivedEvent } from "../../../../examples/receiver/verify.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addOrganization } from "../support/workspace.ts";
import { addEndpoint, addRunEvents, close, listen, startDelivery, until } from "./delivery.ts";
import { startRecorder } from "./recorder.ts";

const TYPES = ["run.created", "run.started", "run.completed"];

vi.setConfig({ testTimeout: 90_000 });

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await addOrganization(database.pool, "org_one");
});
afterEach(() => database.drop());

/** Every run's events by number, in the order of their first arrival. */
function byRun(ids: readonly string[]): Map<string, number[]> {
  const runs = new Map<string, number[]>();
  for (const id of new Set(ids))
    runs.set(id.slice(0, -6), [...(runs.get(id.slice(0, -6)) ?? []), Number(id.slice(-6))]);
  return runs;
}

it("a receiver that is down for a while gets every event, and the example acts once on each", async () => {
  const { pool } = database;
  const spare = createServer();
  const url = await listen(spare);
  const port = Number(new URL(url).port);
  await close(spare);
  const secret = await addEndpoint(pool, { id: "down", url });
  const delivery = startDelivery(pool, { retryDelaysMs: [300, 300, 300, 300, 300, 300, 300, 300, 300] });
  const expected: string[] = [];
  for (let run = 0; run < 60; run++) expected.push(...(await addRunEvents(pool, TYPES)).eventIds);
  await until(
    async () => (await pool.query(`SELECT FROM event_deliveries WHERE state = 'retrying'`)).rows.length > 5,
  );

  const acted: ReceivedEvent[] = [];
  let attempts = 0;
  const receiver = createReceiver({
    secret,
    onEvent: (event) => {
      // Up again, but still shaky: every fourth fails once more.
      if (attempts++ % 4 === 3) throw new Error("not yet");
      acted.push(event);
    },
  });
  await listen(receiver, port);
  for (let run = 0; run < 60; run++) expected.push(...(await addRunEvents(pool, TYPES)).eventIds);
  await until(() => acted.length >= expected.length);
  expect(acted.map(({ id }) => id).sort()).toEqual([...expected].sort());
  await delivery.stop();
  const { rows } = await pool.query(`SELECT state, count(*) FROM event_deliveries GROUP BY state`);
  expect(rows).toEqual([{ state: "delivered", count: expected.length }]);
  await close(receiver);
});

it("first attempts of one run arrive in order without a gap, and ids never change", async () => {
  const { pool } = database;
  const recorder = await startRecorder(({ event }, response) => {
    response.writeHead(event.id.endsWith("2") && Math.random() < 0.5 ? 500 : 204).end();
  });
  await addEndpoint(pool, { id: "ordered", url: recorder.url });
  const delivery = startDelivery(pool, { retryDelaysMs: [50, 50, 50, 50, 50, 50, 50, 50, 50] });
  const runs = await Promise.all(Array.from({ length: 50 }, () => addRunEvents(pool, [...TYPES, ...TYPES])));
  const expected = runs.flatMap(({ eventIds }) => eventIds);
  const arrived = () => recorder.arrivals.map(({ event }) => event.id);
  await until(() => new Set(arrived()).size === expected.length);
  await delivery.stop();
  for (const numbers of byRun(arrived()).values()) expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
  for (const { headers, event } of recorder.arrivals) expect(headers["webhook-id"]).toBe(event.id);
  const bodies = new Map<string, Set<string>>();
  for (const { event, body } of recorder.arrivals)
    bodies.set(event.id, (bodies.get(event.id) ?? new Set()).add(body));
  expect([...bodies.values()].every((texts) => texts.size === 1)).toBe(true);
  await recorder.close();
});

it("kill -9 of the delivering process loses nothing", async () => {
  const { pool } = database;
  const recorder = await startRecorder();
  await addEndpoint(pool, { id: "survivor", url: recorder.url });
  const runs = await Promise.all(Array.from({ length: 300 }, () => addRunEvents(pool, TYPES)));
  const expected = runs.flatMap(({ eventIds }) => eventIds);
  const child = fork(
    fileURLToPath(new URL("fixtures/delivering-process.ts", import.meta.url)),
    [JSON.stringify(database.connection)],
    { execArgv: [] },
  );
  const ended = once(child, "exit");
  await until(() => recorder.arrivals.length > 100);
  child.kill("SIGKILL");
  await ended;
  const before = recorder.arrivals.length;
  expect(before).toBeLessThan(expected.length);
  // What the others would see after the lease: nobody renews it.
  await pool.query(`UPDATE event_feeds SET held_until = millrace_now() - interval '1 second'`);
  const delivery = startDelivery(pool);
  const arrived = () => new Set(recorder.arrivals.map(({ event }) => event.id));
  await until(() => arrived().size === expected.length);
  await delivery.stop();
  for (const numbers of byRun(recorder.arrivals.map(({ event }) => event.id)).values())
    expect(numbers).toEqual([1, 2, 3]);
  // Only what was under way or not yet recorded came twice.
  expect(recorder.arrivals.length - expected.length).toBeLessThan(250);
  await recorder.close();
});

it("two processes share the endpoints and never deliver the same feed at once", async () => {
  const { pool } = database;
  const recorders = await Promise.all(Array.from({ length: 6 }, () => startRecorder()));
  for (const [at, { url }] of recorders.entries()) await addEndpoint(pool, { id: `endpoint_${at}`, url });
  const deliveries = [startDelivery(pool), startDelivery(pool)];
  const runs = await Promise.all(Array.from({ length: 40 }, () => addRunEvents(pool, TYPES)));
  const expected = runs.flatMap(({ eventIds }) => eventIds).sort();
  await until(() => recorders.every(({ arrivals }) => arrivals.length >= expected.length));
  await Promise.all(deliveries.map((delivery) => delivery.stop()));
  for (const { arrivals } of recorders)
    expect(arrivals.map(({ event }) => event.id).sort()).toEqual(expected);
  await Promise.all(recorders.map((recorder) => recorder.close()));
});
