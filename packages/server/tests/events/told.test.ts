import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { verifyEvent } from "../../../../examples/receiver/verify.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";
import { addEndpoint, until } from "./delivery.ts";
import { type Recorder, startRecorder } from "./recorder.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let recorder: Recorder;
let other: Recorder;
let secret: string;
beforeAll(async () => {
  service = await startTestService();
  const db = service.database.pool;
  keys = await addTwoOrganizations(db);
  recorder = await startRecorder();
  other = await startRecorder();
  secret = await addEndpoint(db, { id: "all", url: recorder.url });
  await addEndpoint(db, { id: "other", url: other.url, organizationId: "org_two" });
  await addFlow(db, "org_one", "flow_hello", {
    graph: {
      nodes: [
        { id: "start", type: "start", data: {} },
        {
          id: "done",
          type: "return",
          data: { inputs: { value: { text: "Hello {{ nodes.start.body.name }}" } } },
        },
      ],
      edges: [{ id: "e", source: "start", target: "done" }],
    },
  });
});
afterAll(async () => {
  await service.stop();
  await recorder.close();
  await other.close();
});
beforeEach(() => {
  recorder.arrivals.length = 0;
});

const start = async (flowId: string, more: object = {}) => {
  const body = { payload: { flowId, trigger: { body: { name: "Ada", secret: "input-secret" } } }, ...more };
  return (await service.send("POST", "/api/runs", { key: keys.one, body })).body.data;
};

it("a run is told from beginning to end, in order, without what it was given, and at last with what it returned", async () => {
  const run = await start("flow_hello", { tags: ["green"] });
  await until(() => recorder.types().includes("run.completed"));
  expect(recorder.types()).toEqual(["run.created", "run.started", "run.completed"]);
  const [created, started, completed] = recorder.arrivals.map(({ event }) => event);
  expect(created!.data).toEqual({
    run: {
      id: run.id,
      status: "WAITING",
      taskIdentifier: "execute-flow",
      version: "20260101.1",
      flowId: "flow_hello",
      triggerSource: "api",
      tags: ["green"],
      isTest: false,
      attempt: 1,
      createdAt: run.createdAt,
      updatedAt: created!.timestamp,
    },
  });
  expect(started!.data).toMatchObject({ run: { status: "EXECUTING", startedAt: expect.any(String) } });
  expect(completed!.data).toMatchObject({
    run: {
      status: "COMPLETED",
      completedAt: expect.any(String),
      duration: expect.any(Number),
      output: { text: "Hello Ada" },
    },
  });
  const { body } = await service.get(`/api/runs/${run.id}`, keys.one);
  expect(completed!.data).toMatchObject({
    run: { startedAt: body.data.startedAt, completedAt: body.data.completedAt, duration: body.data.duration },
  });
  for (const arrival of recorder.arrivals) {
    expect(arrival.body).not.toContain("input-secret");
    expect(Object.keys(arrival.event)).toEqual(["id", "type", "timestamp", "organizationId", "data"]);
    expect(arrival.headers["webhook-id"]).toBe(arrival.event.id);
    expect(arrival.body.length).toBeLessThan(20_000);
  }
});

it("an output of more than 64 KB is left out, which the event says", async () => {
  await addFlow(service.database.pool, "org_one", "flow_sized", {
    graph: {
      nodes: [
        { id: "start", type: "start", data: {} },
        { id: "done", type: "return", data: { inputs: { value: { text: "{{ data.text }}" } } } },
      ],
      edges: [{ id: "e", source: "start", target: "done" }],
    },
  });
  // `{"text":""}` is eleven bytes, and ü two.
  for (const [length, isTold] of [
    [65_536 - 11, true],
    [65_536 - 10, false],
  ] as const) {
    recorder.arrivals.length = 0;
    const text = `ü${"x".repeat(length - 2)}`;
    await service.send("POST", "/api/runs", {
      key: keys.one,
      body: { payload: { flowId: "flow_sized", data: { text } } },
    });
    await until(() => recorder.types().includes("run.completed"));
    const { run } = recorder.arrivals.at(-1)!.event.data as { run: Record<string, unknown> };
    if (isTold) expect(run["output"]).toEqual({ text });
    else expect(run).toMatchObject({ status: "COMPLETED", outputTruncated: true });
    expect("outputTruncated" in run).toBe(!isTold);
    expect("output" in run).toBe(isTold);
  }
});

it("what arrives is signed so that the official library and the example accept it, and nothing that was changed", async () => {
  await start("flow_hello");
  await until(() => recorder.types().includes("run.completed"));
  const official = new Webhook(secret);
  for (const { body, headers } of recorder.arrivals) {
    const given = headers as Record<string, string>;
    expect(official.verify(body, given)).toEqual(JSON.parse(body));
    expect(verifyEvent(secret, given, body)).toEqual(JSON.parse(body));
    expect(() => official.verify(body.replace("run.", "run_"), given)).toThrow();
    expect(() => verifyEvent(secret, given, `${body} `)).toThrow("No signature fits");
    expect(() => verifyEvent(secret, { ...given, "webhook-id": "evt_x" }, body)).toThrow("No signature fits");
    expect(() => verifyEvent(secret, given, body, Date.now() / 1000 + 400)).toThrow("timestamp");
  }
});

it("a queue item is told of when it comes, when it is dispatched and when it is cancelled", async () => {
  const db = service.database.pool;
  await db.query(`UPDATE organizations SET concurrency_limit = 0 WHERE id = 'org_one'`);
  const canceled = await start("flow_hello");
  const dispatched = await start("flow_hello");
  await service.send("DELETE", `/api/runs/queue/${canceled.queueId}?filter[organizationId]=org_one`, {
    key: keys.one,
  });
  await db.query(`UPDATE organizations SET concurrency_limit = 10 WHERE id = 'org_one'`);
  await until(() => recorder.types().includes("run.completed"));
  const told = (queueId: string) => {
    const suffix = queueId.slice("queue_".length);
    return recorder.arrivals.filter(({ event }) => event.id.includes(suffix)).map(({ event }) => event);
  };
  await until(() => told(canceled.queueId).length === 4);
  expect(told(canceled.queueId).map(({ type }) => type)).toEqual([
    "run.created",
    "queue.item_created",
    "queue.item_canceled",
    "run.canceled",
  ]);
  expect(told(dispatched.queueId).map(({ type }) => type)).toEqual([
    "run.created",
    "queue.item_created",
    "queue.item_dispatched",
    "run.started",
    "run.completed",
  ]);
  for (const { data } of told(dispatched.queueId))
    expect(Object.values(data as object)[0]).toMatchObject({ version: "20260101.1", triggerSource: "api" });
  const { id, status, runHistoryId, runId } = (
    told(dispatched.queueId)[2]!.data as { queueItem: Record<string, string> }
  ).queueItem;
  expect({ id, status, runHistoryId }).toEqual({
    id: dispatched.queueId,
    status: "dispatched",
    runHistoryId: dispatched.runHistoryId,
  });
  expect(runId).toMatch(/^run_/);
});

it("a paused approval brings the link that answers it", async () => {
  await addFlow(service.database.pool, "org_one", "flow_approval", {
    graph: {
      nodes: [
        { id: "start", type: "start", data: {} },
        { id: "ask", type: "approval", data: { inputs: { message: "May I?" } } },
        { id: "done", type: "return", data: { inputs: { value: { ok: true } } } },
      ],
      edges: [
        { id: "e1", source: "start", target: "ask" },
        { id: "e2", source: "ask", sourceHandle: "approved", target: "done" },
      ],
    },
  });
  await start("flow_approval");
  await until(() => recorder.types().includes("run.paused"));
  const paused = recorder.arrivals.find(({ event }) => event.type === "run.paused")!.event;
  const { pause } = (paused.data as { run: { pause: { nodeId: string; kind: string; resumeUrl: string } } })
    .run;
  expect(pause).toMatchObject({ nodeId: "ask", kind: "approval" });
  const answer = await fetch(pause.resumeUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approved" }),
  });
  expect(answer.status).toBe(200);
  await until(() => recorder.types().includes("run.completed"));
  expect(recorder.types()).toEqual([
    "run.created",
    "run.started",
    "run.paused",
    "run.resumed",
    "run.completed",
  ]);
});

it("a failure is told with its reason, and a retry before it", async () => {
  await addFlow(service.database.pool, "org_one", "flow_fails", {
    graph: {
      nodes: [
        { id: "start", type: "start", data: {} },
        { id: "stop", type: "code", data: { inputs: { source: 'throw new Error("x".repeat(30000))' } } },
      ],
      edges: [{ id: "e", source: "start", target: "stop" }],
    },
  });
  await start("flow_fails", { maxAttempts: 2 });
  await until(() => recorder.types().includes("run.failed"));
  expect(recorder.types()).toEqual(["run.created", "run.started", "run.retrying", "run.failed"]);
  const failed = recorder.arrivals.at(-1)!;
  expect(failed.event.data).toMatchObject({
    run: { status: "FAILED", attempt: 2, error: { nodeId: "stop" } },
  });
  expect(failed.body.length).toBeLessThan(20_000);
});

it("work that was rolled back is never told, nor one organization of another's", async () => {
  const client = await service.database.pool.connect();
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO event_batches (organization_id, created_at, other_id, other_type, other_data) VALUES ('org_one', now(), 'evt_lost', 'run.created', '{}')`,
  );
  await client.query("ROLLBACK");
  client.release();
  await start("flow_hello");
  await until(() => recorder.types().includes("run.completed"));
  expect(recorder.arrivals.map(({ event }) => event.id)).not.toContain("evt_lost");
  expect(new Set(recorder.arrivals.map(({ event }) => event.organizationId))).toEqual(new Set(["org_one"]));
  expect(other.arrivals).toEqual([]);
});
