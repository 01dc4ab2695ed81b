import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type RunChange, runChange } from "@millrace/contract/manage/run-stream";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RunFeed } from "../../src/domain/run-feed.ts";
import { OrganizationStream } from "../../src/http/organization-stream.ts";
import { EventStreams } from "../../src/http/sse.ts";
import { createTestDatabase } from "../support/database.ts";
import { type EventReader, readEvents } from "../support/event-reader.ts";
import { hello } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";

/** One process takes runs in and has the streams, and it depends on the test which one executes them. */
let api: RunTestService;
let worker: TestService;
let here: RunTestService;
beforeAll(async () => {
  const database = await createTestDatabase();
  api = await startRunService({ concurrency: 100 }, () => startTestService({}, { role: "api", database }));
  worker = await startTestService({}, { role: "worker", database: { ...database, drop: async () => {} } });
  await api.flow("flow_hello", hello);
  here = await startRunService({ concurrency: 100 });
  await here.flow("flow_hello", hello);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
  await api.database.drop();
  await here.stop();
});

const open = (service: RunTestService, headers = {}, key = service.key) =>
  readEvents(`${service.address}/manage/runs/stream`, key, headers);

/** Until all of these have ended. */
async function untilEnded(events: EventReader, ids: readonly string[]): Promise<RunChange[]> {
  const changes: RunChange[] = [];
  const left = new Set(ids);
  while (left.size > 0) {
    const change = runChange.parse(await events.next());
    changes.push(change);
    if (change.status === "COMPLETED") left.delete(change.runId);
  }
  return changes;
}

const lastId = (events: EventReader) =>
  events
    .text()
    .match(/^id: (.+)$/gm)!
    .at(-1)!
    .slice("id: ".length);
const begin = (service: RunTestService, count: number) =>
  Promise.all(Array.from({ length: count }, () => service.begin("flow_hello")));

it.each(["itself", "another"])("tells of every run that %s process executes, forward only", async (which) => {
  const service = which === "itself" ? here : api;
  const events = await open(service);
  await events.until("id: ");
  const ids = await begin(service, 30);
  const changes = await untilEnded(events, ids);
  for (const [runId, states] of Map.groupBy(changes, (change) => change.runId)) {
    expect(ids).toContain(runId);
    expect(states.every(({ flowId }) => flowId === "flow_hello")).toBe(true);
    const times = states.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.toSorted());
    expect(states.at(-1)!.status).toBe("COMPLETED");
    expect(new Set(states.map(({ status }) => status)).size).toBe(states.length);
  }
  await events.close();
});

it("tells who comes back what was missed, or to read everything again", async () => {
  const first = await open(here);
  await untilEnded(first, await begin(here, 2));
  const seen = lastId(first);
  await first.close();
  const other = await open(here);
  const missed = await begin(here, 5);
  await untilEnded(other, missed);
  const back = await open(here, { "last-event-id": seen });
  const changes = await untilEnded(back, missed);
  expect(changes.map(({ runId }) => runId).toSorted()).toEqual(missed.toSorted());
  expect(lastId(back)).toBe(lastId(other));
  const lost = await open(here, { "last-event-id": "elsewhere.12" });
  await lost.until("event: reset\ndata: {}\n");
  for (const events of [other, back, lost]) await events.close();
});

it("tells of the runs of one organization alone, and asks which where there are several", async () => {
  const { pool } = here.database;
  await addOrganization(pool, "org_next");
  await addUser(pool, "nina", { org_next: "viewer", org_run: "viewer" });
  await addUser(pool, "nils", { org_next: "owner" });
  await addFlow(pool, "org_next", "flow_next", { graph: hello });
  const { key: next } = await addKey(pool, { organizationId: "org_next", userId: "nils" });
  const { key: both } = await addKey(pool, { scope: "user", userId: "nina" });
  const events = await readEvents(`${here.address}/manage/runs/stream`, next);
  await events.until("id: ");
  await begin(here, 3);
  const own = (await here.trigger("flow_next", {}, next)).body.data.id;
  const changes = await untilEnded(events, [own]);
  expect(new Set(changes.map(({ runId }) => runId))).toEqual(new Set([own]));
  await events.close();
  const asked = await here.get("/manage/runs/stream", both);
  expect([asked.status, asked.body.issues[0].path]).toEqual([400, ["organizationId"]]);
});

it("keeps little for a reader that stops, and tells it each run once when it goes on", async () => {
  const feed = new RunFeed("f", 10_000);
  const streams = new EventStreams();
  const server = Fastify();
  const opened = Promise.withResolvers<{ stream: OrganizationStream; waitingBytes: () => number }>();
  server.get("/", (_request, reply) => {
    const stream = new OrganizationStream(streams.open(reply), feed, undefined);
    opened.resolve({ stream, waitingBytes: () => reply.raw.writableLength });
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((server.server.address() as { port: number }).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(socket, "data");
  const { stream, waitingBytes } = await opened.promise;
  socket.pause();
  const batches = 4_000;
  const runs = Array.from({ length: 500 }, (_, run) => ({
    id: `run_${run}`,
    flowId: "flow_a",
    status: "EXECUTING",
    updatedAt: new Date(),
  }));
  let maxBytes = 0;
  for (let at = 1; at <= batches; at += 1) {
    feed.add([...runs]);
    stream.onNews();
    maxBytes = Math.max(maxBytes, waitingBytes());
    if (at % 10 === 0) await nextTurn();
  }
  expect(waitingBytes()).toBeGreaterThan(0);
  expect(maxBytes).toBeLessThan(1_000_000);
  let text = "";
  const caughtUp = Promise.withResolvers<void>();
  socket.on("data", (chunk) => {
    text += chunk.toString();
    if (text.includes(`id: f.${batches}\n`)) caughtUp.resolve();
  });
  socket.resume();
  await caughtUp.promise;
  expect(text.split("data: ").length).toBeLessThan((batches * runs.length) / 2);
  socket.destroy();
  streams.close();
  await server.close();
});
