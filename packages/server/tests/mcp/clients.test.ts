import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, joined, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { until } from "../support/runs-until.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";
import { startWire } from "./wire.ts";
import {
  type Answer,
  type Asked,
  connectFirst,
  connectSecond,
  generations,
  init,
  newClient,
} from "./support.ts";

let service: TestService;
let gate: Gate;
let key: string;
const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const form = {
  type: "object",
  properties: {
    reason: { type: "string", title: "Why?", pattern: "^[a-z ]+$" },
    amount: { type: "integer" },
  },
  required: ["reason"],
};
const approving = (inputs: object) =>
  joined(
    joined(
      chain(node("ask", "approval", inputs)),
      node("yes", "return", {
        value: { decision: "{{ nodes.ask.decision }}", data: "{{ nodes.ask.data }}" },
      }),
      ["ask", "approved"],
    ),
    node("no", "return", { value: { decision: "rejected" } }),
    ["ask", "rejected"],
  );
const tool = (description: string, more: object = {}) => ({ tool: { description }, ...more });

beforeAll(async () => {
  gate = await startGate();
  service = await startTestService();
  const { pool } = service.database;
  key = (await addTwoOrganizations(pool)).one;
  const weather = [
    node("look", "set", { values: { text: "rain in {{ trigger.body.city }}" } }),
    node("answer", "return", { value: { weather: "{{ nodes.look.text }}" } }),
  ];
  await addFlow(pool, "org_one", "flow_weather", {
    graph: chain(...weather),
    settings: tool("Tells the weather", { input: city }),
  });
  await addFlow(pool, "org_one", "flow_list", {
    graph: chain(node("answer", "return", { value: { count: "{{ $count(trigger.body) }}" } })),
    settings: tool("Counts a list", { input: { type: "array", items: { type: "number" } } }),
  });
  await addFlow(pool, "org_one", "flow_failing", {
    graph: chain(node("stop", "fail", { message: "no such city" })),
    settings: tool("Fails"),
  });
  await addFlow(pool, "org_one", "flow_large", {
    graph: chain(node("answer", "return", { value: { text: "{{ $pad('', 300000, 'é') }}" } })),
    settings: tool("Says a lot"),
  });
  await addFlow(pool, "org_one", "flow_refund", {
    graph: approving({ message: "Refund {{ trigger.body.city }}?", form }),
    settings: tool("Refunds", { input: city }),
  });
  await addFlow(pool, "org_one", "flow_release", {
    graph: approving({ message: "Release?" }),
    settings: tool("Releases"),
  });
  await addFlow(pool, "org_one", "flow_slow", {
    graph: chain(gate.node("hold"), node("answer", "return", { value: { done: true } })),
    settings: tool("Takes its time"),
  });
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

async function runsOf(flowId: string): Promise<{ id: string; status: string; tags: string[] }[]> {
  const { body } = await service.get(`/api/flows/${flowId}/runs`, key);
  return body.data.data;
}

describe.each(generations)("a client of revision %s", (_name, connect, asks) => {
  it("is offered flows with their input, and gets what they return, told of each node", async () => {
    const client = await connect({ url: service.address, key });
    const { tools } = await client.list();
    const weather = tools.find(({ name }) => name === "flow_weather");
    expect(weather).toMatchObject({ description: "Tells the weather", inputSchema: city });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["get_run", "cancel_run", "why"]));
    const told: string[] = [];
    const onprogress = ({ message }: { message?: string }) => void told.push(message!);
    const before = (await runsOf("flow_weather")).length;
    const result = await client.call("flow_weather", { city: "Izmir" }, { onprogress });
    expect(JSON.parse(result.content[0]!.text)).toEqual({ weather: "rain in Izmir" });
    expect(told.join()).toContain("look (set) COMPLETED");
    const runs = await runsOf("flow_weather");
    expect(runs.length - before).toBe(1);
    expect(runs[0]!.tags).toEqual(["mcp"]);
    await client.close();
  });

  it("gives a body that is no object as an argument of its own", async () => {
    const client = await connect({ url: service.address, key });
    const result = await client.call("flow_list", { body: [1, 2, 3] });
    expect(JSON.parse(result.content[0]!.text)).toEqual({ count: 3 });
    await client.close();
  });

  it("is told in words what was wrong, and a large output is cut off", async () => {
    const client = await connect({ url: service.address, key });
    const failed = await client.call("flow_failing", {});
    expect(failed).toMatchObject({ isError: true });
    expect(failed.content[0]!.text).toMatch(/^The run run_\w+ ended as FAILED: no such city$/);
    const refused = await client.call("flow_weather", { city: 7 });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]!.text).toContain("city must be a text");
    const large = await client.call("flow_large");
    expect(large.content[0]!.text.length).toBeLessThan(101_000);
    expect(large.content[0]!.text).toContain("GET /api/runs/run_");
    expect(large.structuredContent).toBeUndefined();
    await client.close();
  });

  it("reads, explains and cancels runs by their ids", async () => {
    const client = await connect({ url: service.address, key });
    const { body } = await service.send("POST", "/api/runs", {
      key,
      body: { payload: { flowId: "flow_release" } },
    });
    const runId = body.data.id as string;
    await until("it waits", async () => (await runsOf("flow_release"))[0]?.status === "PAUSED");
    const seen = JSON.parse((await client.call("get_run", { runId })).content[0]!.text);
    expect(seen).toMatchObject({ id: runId, status: "PAUSED", pause: { message: "Release?" } });
    const why = JSON.parse((await client.call("why", { runId })).content[0]!.text);
    expect(why).toMatchObject({ waiting: true, cause: "approval" });
    const canceled = JSON.parse((await client.call("cancel_run", { runId })).content[0]!.text);
    expect(canceled).toMatchObject({ id: runId, status: "CANCELED" });
    expect((await client.call("cancel_run", { runId })).isError).toBe(true);
    await client.close();
  });

  it.runIf(asks)("puts an approval to a person, whose answer goes to the flow", async () => {
    const asked: Asked[] = [];
    const answers: Answer[] = [
      { action: "accept", content: { reason: "It Was Broken" } },
      { action: "accept", content: { reason: "it was broken", amount: 3 } },
      { action: "decline" },
    ];
    const ask = (question: Asked) => {
      asked.push(question);
      return answers.shift()!;
    };
    const client = await connect({ url: service.address, key, ask });
    const approved = await client.call("flow_refund", { city: "Izmir" });
    // The first answer does not fit what only the service can check, so it was asked again.
    expect(asked.map(({ message }) => message.split("\n")[0])).toEqual(["Refund Izmir?", "Refund Izmir?"]);
    expect(asked[1]!.message).toContain("reason must match");
    expect(asked[0]!.requestedSchema!.properties["reason"]).toEqual({ type: "string", title: "Why?" });
    const data = { reason: "it was broken", amount: 3 };
    expect(JSON.parse(approved.content[0]!.text)).toEqual({ decision: "approved", data });
    const rejected = await client.call("flow_refund", { city: "Izmir" });
    expect(JSON.parse(rejected.content[0]!.text)).toEqual({ decision: "rejected" });
    await client.close();
  });

  it.runIf(asks)("leaves an approval open that the person has closed", async () => {
    const client = await connect({ url: service.address, key, ask: () => ({ action: "cancel" }) });
    const result = await client.call("flow_release");
    expect(result.content[0]!.text).toContain("It waits for approval: Release?");
    expect((await runsOf("flow_release"))[0]).toMatchObject({ status: "PAUSED" });
    await client.close();
  });

  it.runIf(asks)("learns of an approval that somebody else gave while it was asked", async () => {
    let answer: (given: Answer) => void = () => {};
    const ask = () => new Promise<Answer>((resolve) => (answer = resolve));
    const client = await connect({ url: service.address, key, ask });
    const before = new Set((await runsOf("flow_release")).map(({ id }) => id));
    const call = client.call("flow_release");
    const runId = await until(
      "the run waits",
      async () =>
        (await runsOf("flow_release")).find(({ id, status }) => !before.has(id) && status === "PAUSED")?.id,
    );
    await service.send("POST", `/api/runs/${runId}/resume`, { key, body: { decision: "approved" } });
    answer({ action: "decline" });
    expect(JSON.parse((await call).content[0]!.text)).toEqual({ decision: "approved" });
    await client.close();
  });

  it("without anybody to ask is told where a person can answer", async () => {
    const client = await connect({ url: service.address, key });
    const text = (await client.call("flow_release")).content[0]!.text;
    const [, runId] = /The run (run_\w+) has not ended: it is PAUSED/.exec(text)!;
    expect(text).toContain(`A person can answer at ${service.address}/console/runs/${runId}`);
    // The link that answers is for people: a model is given it nowhere.
    const read = await Promise.all(["get_run", "why"].map((name) => client.call(name, { runId })));
    expect(JSON.stringify([text, read])).not.toContain("/app/resume/");
    await service.send("POST", `/api/runs/${runId}/resume`, { key, body: { decision: "approved" } });
    const seen = await client.call("get_run", { runId, waitSeconds: 30 });
    expect(JSON.parse(seen.content[0]!.text)).toMatchObject({ status: "COMPLETED" });
    await client.close();
  });

  it("leaves the run of a call that it cancels to itself", async () => {
    const client = await connect({ url: service.address, key });
    const arrived = gate.arrived.length;
    const canceling = new AbortController();
    const call = client.call("flow_slow", {}, { signal: canceling.signal });
    await gate.untilArrived(arrived + 1);
    canceling.abort();
    await expect(call).rejects.toThrow();
    gate.letGo();
    await until("the run ends", async () => (await runsOf("flow_slow"))[0]?.status === "COMPLETED");
    await client.close();
  });
});

it("a client of revision 2025-11-25 whose connection is lost gets the answer of the same run", async () => {
  const wire = await startWire(service.address);
  const client = await connectSecond({ url: wire.url, key });
  const [arrived, before] = [gate.arrived.length, (await runsOf("flow_slow")).length];
  const call = client.call("flow_slow");
  await gate.untilArrived(arrived + 1);
  wire.cut();
  await until("the client is back", () => wire.connections > 0);
  gate.letGo();
  expect((await call).structuredContent).toEqual({ done: true });
  expect((await runsOf("flow_slow")).length - before).toBe(1);
  await client.close();
  await wire.close();
});

it("the same message of the same session, sent once more, is answered with the same run", async () => {
  const headers = { accept: "application/json, text/event-stream", "mcp-session-id": "" };
  const open = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  const opened = await service.send("POST", "/mcp", { key, body: open, headers: { accept: headers.accept } });
  headers["mcp-session-id"] = opened.headers.get("mcp-session-id")!;
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "flow_weather", arguments: { city: "Rize" } },
  };
  const before = (await runsOf("flow_weather")).length;
  const answers = await Promise.all(
    [1, 2, 3].map(() => service.send("POST", "/mcp", { key, body, headers })),
  );
  for (const answer of answers) expect(JSON.stringify(answer.body)).toContain("rain in Rize");
  expect((await runsOf("flow_weather")).length - before).toBe(1);
  await service.send("POST", "/mcp", { key, body: { ...body, id: "1" }, headers });
  expect((await runsOf("flow_weather")).length - before).toBe(2);
});

it("a client of revision 2026-07-28 carries its call: whoever brings the state finds the same run", async () => {
  const client = newClient(() => ({ action: "cancel" }));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), init(key)));
  const [arrived, before] = [gate.arrived.length, (await runsOf("flow_slow")).length];
  const params = { name: "flow_slow", arguments: {} };
  // After some seconds without an end the client is given what finds the run again.
  const round = await client.callTool(params, { allowInputRequired: true, timeout: 60_000 });
  expect(round).toMatchObject({ resultType: "input_required" });
  const { requestState } = round as unknown as { requestState: string };
  await gate.untilArrived(arrived + 1);
  const late = newClient();
  await late.connect(new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), init(key)));
  const again = late.callTool({ ...params, requestState } as never, { timeout: 60_000 });
  gate.letGo();
  expect((await again).structuredContent).toEqual({ done: true });
  expect((await runsOf("flow_slow")).length - before).toBe(1);
  await client.close();
  await late.close();
});

it("the header Idempotency-Key names a run in every revision, and in POST /api/runs", async () => {
  const fetchWith = {
    requestInit: { headers: { authorization: `Bearer ${key}`, "idempotency-key": "one-and-only" } },
  };
  const body = {
    payload: { flowId: "flow_weather", trigger: { body: { city: "Van" } } },
    idempotencyKey: "one-and-only",
  };
  const started = await service.send("POST", "/api/runs", { key, body });
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), fetchWith));
  const result = await client.callTool({ name: "flow_weather", arguments: { city: "Muş" } });
  expect(result.structuredContent).toEqual({ weather: "rain in Van" });
  expect(result._meta).toMatchObject({ "millrace/runId": started.body.data.id });
  await client.close();
});

it("the oldest clients are not asked for what they do not know", async () => {
  const client = await connectFirst({ url: service.address, key });
  const { tools } = await client.list();
  for (const { inputSchema } of tools) expect(inputSchema["type"]).toBe("object");
  await client.close();
});
