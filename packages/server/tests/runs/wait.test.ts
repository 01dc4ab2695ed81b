import { connect } from "node:net";
import { MillraceClient } from "@millrace/client";
import { runAnswer } from "@millrace/contract/runs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { EndWaits } from "../../src/operations/runs/end-waits.ts";
import { RunWatch } from "../../src/operations/runs/run-watch.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";

let gate: Gate;
let service: RunTestService;
beforeAll(async () => {
  gate = await startGate();
  service = await startRunService({ concurrency: 2 }, () =>
    startTestService({ MILLRACE_REQUESTS_AT_ONCE: "2" }),
  );
  await service.flow("flow_hello", hello);
  await service.flow("flow_fails", chain(node("no", "fail", { message: "Not today." })));
  await service.flow(
    "flow_held",
    chain(gate.node("hold"), node("done", "return", { value: { held: true } })),
  );
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

const trigger = (flowId: string, wait: string, body: object = {}, headers: Record<string, string> = {}) =>
  service.send("POST", `/api/runs?wait=${wait}`, {
    key: service.key,
    body: { payload: { flowId }, ...body },
    headers,
  });
/** Returns once the request has its run. */
const runOf = (flowId: string, nth = 0) =>
  until(`run ${nth} of ${flowId}`, async () => {
    const { body } = await service.get(`/api/flows/${flowId}/runs`, service.key);
    return body.data.data.toReversed()[nth]?.id as string | undefined;
  });

it("answers 200 with the whole run when it ended in time, as get run does, however it ended", async () => {
  const waited = await trigger("flow_hello", "30s");
  expect(waited.status).toBe(200);
  expect(runAnswer.safeParse(waited.body).error).toBeUndefined();
  expect(waited.body.data).toMatchObject({ status: "COMPLETED", output: { data: {} } });
  expect((await service.get(`/api/runs/${waited.body.data.id}`, service.key)).body).toEqual(waited.body);

  const failed = await trigger("flow_fails", "1m");
  expect(failed.status).toBe(200);
  expect(failed.body.data).toMatchObject({ status: "FAILED", error: { message: "Not today." } });
});

it("answers as ever when the time is over, and the run goes on", async () => {
  const started = await trigger("flow_held", "1s");
  expect(started.status).toBe(201);
  const runId = started.body.data.id;
  expect(started.body.data).toMatchObject({ status: "WAITING", taskIdentifier: "execute-flow" });
  gate.letGo();
  expect(await service.untilEnd(runId)).toMatchObject({ status: "COMPLETED" });
});

it("waits for one that is queued or cancelled too, and for the run of a key that was used before", async () => {
  const before = gate.arrived.length;
  const first = trigger("flow_held", "2m", { tags: ["a"] });
  const second = trigger("flow_held", "2m", { tags: ["b"] });
  await gate.untilArrived(before + 2);
  const queued = trigger("flow_hello", "2m");
  const queue = () => service.get("/api/runs/queue?filter[organizationId]=org_run", service.key);
  const [item] = await until("one is queued", async () => {
    const { body } = await queue();
    return body.data.length === 1 && body.data;
  });
  gate.letGo();
  expect((await first).body.data).toMatchObject({ status: "COMPLETED", output: { held: true } });
  expect((await second).body.data).toMatchObject({ status: "COMPLETED", tags: ["b"] });
  expect((await queued).body.data).toMatchObject({ id: withPrefix(item.id, "run"), status: "COMPLETED" });

  const key = { "idempotency-key": "once" };
  const canceled = trigger("flow_held", "2m", {}, key);
  await gate.untilArrived(before + 3);
  const runId = await runOf("flow_held", 3);
  await service.send("POST", `/api/runs/${runId}/cancel`, { key: service.key });
  expect((await canceled).body.data).toMatchObject({ id: runId, status: "CANCELED" });
  const again = await trigger("flow_held", "2m", {}, key);
  expect(again.status).toBe(200);
  expect(again.body.data.id).toBe(runId);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

it("is given up with the connection, and that stops nothing but the waiting", async () => {
  const count = gate.arrived.length;
  const body = JSON.stringify({ payload: { flowId: "flow_held" }, tags: ["gone"] });
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/runs?wait=5m HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await gate.untilArrived(count + 1);
  socket.destroy();
  const runs = await service.get("/api/runs?filter[tag]=gone", service.key);
  expect(runs.body.data.data[0]).toMatchObject({ status: "EXECUTING" });
  gate.letGo();
  expect(await service.untilEnd(runs.body.data.data[0].id)).toMatchObject({ status: "COMPLETED" });
});

it("is no work: those who wait do not keep others out", async () => {
  const waiting: ReturnType<typeof trigger>[] = [];
  // One after the other: so many at once would be refused as a burst.
  for (let count = 1; count <= 12; count++) {
    waiting.push(trigger("flow_held", "2m", { tags: ["crowd"] }));
    await until(`${count} wait`, async () => {
      const { body } = await service.get("/api/runs?filter[tag]=crowd", service.key);
      return body.data?.data.length === count;
    });
  }
  // With two requests at once more than these would be refused.
  for (let at = 0; at < 10; at++)
    expect((await service.get("/api/auth/validate", service.key)).status).toBe(200);
  gate.open();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
});

it.each(["0s", "30", "-1s", "1h", "301s", "6m", "soon", "", "1s&wait=2s"])(
  "refuses to wait %s",
  async (wait) => {
    const answer = await trigger("flow_hello", wait);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "invalid_query", issues: [{ path: ["wait"] }] });
  },
);

it("has places for all organizations: who finds none is answered at once", async () => {
  const run = { organizationId: "org_run", runId: await runOf("flow_hello"), waitMs: 60_000 };
  const held = await service.begin("flow_hello", { delay: "1h" });
  const watch = new RunWatch({ db: service.database.pool as never, maxListeners: 100 });
  const waits = new EndWaits({ db: service.database.pool as never, watch, maxWaiting: 4 });
  const gone = new AbortController();
  const wait = (organizationId: string) =>
    waits.untilEnded({ ...run, organizationId, runId: held, gone: gone.signal });
  const mine = [wait("org_run"), wait("org_run"), wait("org_run")];
  // Three of four are the share of one; the last is left for others, who have no such run.
  expect(await wait("org_run")).toBe(false);
  expect(waits.waiting).toBe(3);
  expect(await wait("org_other")).toBe(false);
  gone.abort();
  expect(await Promise.all(mine)).toEqual([false, false, false]);
  expect({ waiting: waits.waiting, listeners: watch.listeners }).toEqual({ waiting: 0, listeners: 0 });
  const last = waits.untilEnded({ ...run, runId: held, gone: new AbortController().signal });
  waits.close();
  expect(await last).toBe(false);
});

it("is there for programs: the client waits for the end, however long it takes", async () => {
  const { runs } = new MillraceClient({ baseUrl: service.address, apiKey: service.key });
  expect((await runs.triggerAndWait("flow_hello")).status).toBe("COMPLETED");
  // One request waits for a second only; then it is followed.
  const request = { payload: { flowId: "flow_hello" }, delay: "2s" };
  expect((await runs.triggerAndWait(request, { timeoutMs: 1_500 })).status).toBe("COMPLETED");
});

it("lets nobody wait when the service stops", async () => {
  const other = await startTestService({}, { database: service.database });
  const answer = fetch(`${other.address}/api/runs?wait=5m`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ payload: { flowId: "flow_hello" }, delay: "1h", tags: ["last"] }),
  });
  await until("it is stored", async () => {
    const { body } = await service.get("/api/runs?filter[tag]=last", service.key);
    return body.data.data.length === 1;
  });
  await other.stop();
  expect((await answer).status).toBe(201);
});
