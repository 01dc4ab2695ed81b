import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLoopbackServer } from "../../server/tests/support/loopback-server.ts";
import { startTestService, type TestService } from "../../server/tests/support/service.ts";
import { addFlow, addTwoOrganizations } from "../../server/tests/support/workspace.ts";
import { MillraceClient, MillraceError } from "../src/client.ts";

const echo = {
  nodes: [
    { id: "start", type: "start", data: {} },
    { id: "done", type: "return", data: { inputs: { value: { said: "{{ trigger.body.say }}" } } } },
  ],
  edges: [{ id: "e1", source: "start", target: "done" }],
};
const asking = {
  nodes: [
    { id: "start", type: "start", data: {} },
    { id: "ask", type: "approval", data: { inputs: { message: "Well?" } } },
    { id: "done", type: "return", data: { inputs: { value: { answer: "{{ nodes.ask.data.note }}" } } } },
  ],
  edges: [
    { id: "e1", source: "start", target: "ask" },
    { id: "e2", source: "ask", sourceHandle: "approved", target: "done" },
  ],
};

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let millrace: MillraceClient;
const clientOf = (apiKey: string, more = {}) =>
  new MillraceClient({ baseUrl: `${service.address}/`, apiKey, ...more });

beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.database;
  keys = await addTwoOrganizations(pool);
  await addFlow(pool, "org_one", "flow_echo", { graph: echo });
  await addFlow(pool, "org_one", "flow_asking", { graph: asking });
  await addFlow(pool, "org_one", "flow_draft", { graph: { nodes: [], edges: [] } });
  millrace = clientOf(keys.one);
});
afterAll(() => service.stop());

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("the call succeeded"),
    (error: unknown) => error as MillraceError,
  );

async function start(flowId: string, more: object = {}): Promise<string> {
  const started = await millrace.runs.trigger({ payload: { flowId, ...more } });
  if (started.status === "queued") throw new Error("queued");
  return started.id;
}

describe("the client", () => {
  it("says whose key it has", async () => {
    expect(await millrace.validate()).toMatchObject({ authenticated: true, user: { id: "ada" } });
  });

  it("lists and gets flows and agents, page by page", async () => {
    const first = await millrace.flows.list({ pageSize: 2 });
    expect(first.data).toHaveLength(2);
    const second = await millrace.flows.list({ pageSize: 2, after: first.pagination.next });
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(ids.sort()).toEqual(["flow_asking", "flow_draft", "flow_echo", "flow_one"]);
    expect(await millrace.flows.get("flow_echo")).toMatchObject({ organizationId: "org_one", active: true });
    expect((await millrace.agents.list()).data.map(({ id }) => id)).toEqual(["agent_one"]);
    expect(await clientOf(keys.user).agents.get("agent_two", { organizationId: "org_two" })).toMatchObject({
      id: "agent_two",
    });
  });

  it("gives every item of every page to an iteration, and a page to whoever awaits it", async () => {
    const ids: string[] = [];
    for await (const flow of millrace.flows.list({ pageSize: 1 })) ids.push(flow.id);
    expect(ids.sort()).toEqual(["flow_asking", "flow_draft", "flow_echo", "flow_one"]);
    const page = await millrace.flows.list({ pageSize: 3 });
    const next = await page.nextPage();
    expect([page.data.length, next?.data.length, await next?.nextPage()]).toEqual([3, 1, undefined]);
    const again: string[] = [];
    for await (const flow of page) again.push(flow.id);
    expect(again).toHaveLength(4);
    await expect(clientOf("mr_org_wrong").flows.list()).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("triggers by the id of a flow and what it takes, and waits for the end", async () => {
    const run = await millrace.runs.triggerAndWait(
      "flow_echo",
      { say: "hi" },
      { data: { n: 2 }, tags: ["short"] },
    );
    expect(run).toMatchObject({
      status: "COMPLETED",
      output: { said: "hi" },
      payload: { data: { n: 2 } },
      tags: ["short"],
    });
    const twice = { idempotencyKey: "mine" };
    const [one, other] = [
      await millrace.runs.trigger("flow_echo", {}, twice),
      await millrace.runs.trigger("flow_echo", {}, twice),
    ];
    expect(one).toMatchObject({ id: (other as { id: string }).id });
  });

  it("triggers a run, waits for it and reads what its nodes did", async () => {
    const runId = await start("flow_echo", { trigger: { body: { say: "hi" } }, data: { n: 1 } });
    const run = await millrace.runs.wait(runId);
    expect(run).toMatchObject({ status: "COMPLETED", output: { said: "hi" }, payload: { data: { n: 1 } } });
    expect((await millrace.runs.nodes(runId)).map(({ nodeKey }) => nodeKey)).toEqual(["start", "done"]);
  });

  it("finds runs by every filter, as arrays and dates", async () => {
    const started = await millrace.runs.trigger({
      payload: { flowId: "flow_echo" },
      tags: ["a,b", "c"],
      isTest: true,
    });
    const runId = (started as { id: string }).id;
    await millrace.runs.wait(runId);
    const found = await millrace.runs.list({
      status: ["COMPLETED", "FAILED"],
      tag: ["c"],
      isTest: true,
      createdFrom: new Date(Date.now() - 60_000),
      period: "1h",
      taskIdentifier: ["execute-flow"],
      version: ["20260101.1"],
    });
    expect(found.data.map(({ id }) => id)).toEqual([runId]);
    expect((await millrace.flows.runs("flow_echo", { tag: ["c"] })).data.map(({ id }) => id)).toEqual([
      runId,
    ]);
    expect((await millrace.runs.list({ tag: ["nowhere"] })).data).toEqual([]);
  });

  it("streams a run from its state to its end, with its nodes where asked", async () => {
    const runId = await start("flow_asking");
    const seen: string[] = [];
    for await (const event of millrace.runs.stream(runId, { nodes: true })) {
      seen.push(event.type === "update" ? event.data.status : event.type);
      if (event.type === "update" && event.data.status === "PAUSED") {
        expect((await millrace.runs.get(runId)).pause).toMatchObject({ kind: "approval", message: "Well?" });
        await millrace.runs.resume(runId, { decision: "approved", data: { note: "fine" } });
      }
    }
    expect(seen[0]).toBe("connected");
    expect(seen).toContain("node");
    expect(seen.at(-1)).toBe("completed");
    expect((await millrace.runs.get(runId)).output).toEqual({ answer: "fine" });
  });

  it("stops a stream when told to, with the caller's own reason", async () => {
    const runId = await start("flow_asking");
    const controller = new AbortController();
    const reading = (async () => {
      for await (const event of millrace.runs.stream(runId, { signal: controller.signal }))
        if (event.type === "update") controller.abort(new Error("enough"));
    })();
    await expect(reading).rejects.toThrow("enough");
    await expect(millrace.runs.wait(runId, { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("cancels, and tells a refusal by its code", async () => {
    const delayed = await millrace.runs.trigger({ payload: { flowId: "flow_echo" }, delay: "1h" });
    const { id } = delayed as { id: string };
    expect(await millrace.runs.cancel(id)).toMatchObject({ id, status: "CANCELED" });
    const again = await failureOf(millrace.runs.cancel(id));
    expect(again).toBeInstanceOf(MillraceError);
    expect(again).toMatchObject({ status: 400, code: "run_not_cancelable", requestId: expect.any(String) });
  });

  it("follows a queued run: list, get, cancel", async () => {
    const limit = (slots: number) =>
      service.database.pool.query(`UPDATE organizations SET concurrency_limit = $1 WHERE id = 'org_one'`, [
        slots,
      ]);
    await limit(0);
    try {
      const queued = await millrace.runs.trigger({ payload: { flowId: "flow_echo" } });
      if (queued.status !== "queued") throw new Error("not queued");
      const { queueId } = queued;
      expect((await millrace.queue.list("org_one")).map(({ id }) => id)).toEqual([queueId]);
      expect(await millrace.queue.get("org_one", queueId)).toMatchObject({ status: "waiting", position: 1 });
      expect(await millrace.queue.cancel("org_one", queueId)).toMatchObject({
        id: queueId,
        status: "canceled",
      });
      expect(await failureOf(millrace.queue.get("org_one", queueId))).toMatchObject({
        code: "queue_item_not_found",
      });
    } finally {
      await limit(10);
    }
  });

  it("chats: a whole reply, one piece by piece, and one resumed after the last piece seen", async () => {
    const { sessionId } = await millrace.sessions.create("agent_one", { endUserId: "me" });
    const whole = await millrace.sessions.send("agent_one", sessionId, { message: "Hello there" });
    expect(whole.text).toContain("Hello there");
    const events = [];
    for await (const event of millrace.sessions.stream("agent_one", sessionId, { message: "Once more" }))
      events.push(event);
    const text = events.map((event) => (event.type === "text-delta" ? event.delta : "")).join("");
    expect(events.at(-1)).toMatchObject({ type: "done", text });
    const rest = [];
    const lastEventId = events[1]!.id;
    for await (const event of millrace.sessions.resume("agent_one", sessionId, { lastEventId }))
      rest.push(event);
    expect(rest).toEqual(events.slice(2));
    const nothing = millrace.sessions.resume("agent_one", sessionId, { lastEventId: events.at(-1)!.id });
    expect(await nothing.next()).toEqual({ done: true, value: undefined });
  });
});

describe("an error", () => {
  it("carries status, code, text and every issue", async () => {
    const error = await failureOf(
      millrace.runs.trigger({ payload: { flowId: "flow_echo" }, delay: "soon", maxAttempts: 0 }),
    );
    expect(error).toMatchObject({ name: "BadRequestError", status: 400, code: "invalid_request_body" });
    expect(error).toBeInstanceOf(MillraceError);
    expect(error.issues?.map(({ path }) => path.join("."))).toEqual(["delay", "maxAttempts"]);
  });

  it("carries why a flow cannot run", async () => {
    const error = await failureOf(millrace.runs.trigger({ payload: { flowId: "flow_draft" } }));
    expect(error).toMatchObject({ status: 400, code: "flow_validation_failed" });
    expect(error.validationErrors?.length).toBeGreaterThan(0);
  });

  it("speaks the language asked for, with the same code", async () => {
    const error = await failureOf(clientOf(keys.one, { locale: "de" }).flows.get("flow_nowhere"));
    expect(error).toMatchObject({
      status: 404,
      code: "flow_not_found",
      messageParams: { flowId: "flow_nowhere" },
    });
    expect(error.message).toContain("Ablauf nicht gefunden");
  });

  it("is a JSON refusal of a stream too", async () => {
    const error = await failureOf(millrace.runs.stream("run_nowhere").next());
    expect(error).toMatchObject({ status: 404, code: "run_not_found" });
    expect(await failureOf(clientOf("mr_org_wrong").validate())).toMatchObject({
      status: 401,
      code: "unauthorized",
    });
  });

  it("says when nobody answers, or somebody else does, and never holds the key", async () => {
    const secret = "mr_org_canary";
    const foreign = await startLoopbackServer(
      (_request, response) => void response.writeHead(502).end("<html>"),
    );
    const chatty = await startLoopbackServer((_request, response) => void response.end("hello"));
    const busy = await startLoopbackServer(
      (_request, response) =>
        void response.writeHead(429, { "retry-after": "7" }).end('{"error":"Too many requests"}'),
    );
    const of = (baseUrl: string) =>
      failureOf(new MillraceClient({ baseUrl, apiKey: secret, maxRetries: 0 }).validate());
    const errors = [
      await of("http://127.0.0.1:1"),
      await of(foreign.url),
      await of(chatty.url),
      await of(busy.url),
    ];
    expect(errors.map(({ status, code }) => [status, code])).toEqual([
      [0, "connection_failed"],
      [502, "unexpected_answer"],
      [0, "unexpected_answer"],
      [429, "too_many_requests"],
    ]);
    expect(errors[3]).toMatchObject({ message: "Too many requests", retryAfterSeconds: 7 });
    expect(
      errors.map((error) => `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).join(),
    ).not.toContain(secret);
    await Promise.all([foreign.close(), chatty.close(), busy.close()]);
  });
});
