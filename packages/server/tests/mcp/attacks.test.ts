import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { until } from "../support/runs-until.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";
import { answerIn, connectSecond, type ListedTool, post, rpcHeaders } from "./support.ts";

let service: TestService;
let gate: Gate;
let key: string;
const TOOLS = 230;

beforeAll(async () => {
  gate = await startGate();
  service = await startTestService();
  const { pool } = service.database;
  key = (await addTwoOrganizations(pool)).one;
  const graph = chain(node("answer", "return", { value: { ok: true } }));
  const deep = (depth: number): object =>
    depth === 0 ? { type: "string" } : { type: "object", properties: { in: deep(depth - 1) } };
  const description = "d".repeat(80);
  const wide = Object.fromEntries(
    Array.from({ length: 700 }, (_, at) => [`field_${at}`, { type: "string", description }]),
  );
  const inputs = [deep(30), { type: "object", properties: wide }, deep(200)];
  for (let at = 0; at < TOOLS; at += 1) {
    const input = inputs[at] && { input: inputs[at] };
    const settings = { tool: { description: "d".repeat(2_000) }, ...input };
    await addFlow(pool, "org_one", `many_${String(at).padStart(3, "0")}`, { graph, settings });
  }
  await addFlow(pool, "org_one", "flow_slow", {
    graph: chain(gate.node("hold")),
    settings: { tool: { description: "Takes its time" } },
  });
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

it("lists many tools in pages, each once, with schemas that a client can read", async () => {
  const client = await connectSecond({ url: service.address, key });
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await client.list(cursor);
    tools.push(...page.tools);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  await client.close();
  const flows = tools.filter(({ name }) => name.startsWith("many_"));
  // One is nested so deeply that the flow itself is refused.
  expect(new Set(flows.map(({ name }) => name)).size).toBe(TOOLS - 1);
  expect(flows).toHaveLength(TOOLS - 1);
  expect(pages).toBeGreaterThan(4);
  expect(JSON.stringify(flows[0]!.inputSchema)).toContain('"in"');
  // Too large to be shown; the flow still checks its body.
  expect(flows[1]!.inputSchema).toEqual({ type: "object" });
  const refused = answerIn(
    await post(service, key, "tools/call", { name: "many_001", arguments: { field_1: 1 } }),
  );
  expect(refused.result).toMatchObject({ isError: true });
});

it.each(["", "no such cursor", "../..", "x".repeat(65)])("refuses the cursor %j", async (cursor) => {
  const { error } = answerIn(await post(service, key, "tools/list", { cursor }));
  expect(error).toMatchObject({ code: -32_602 });
});

it.each([
  ["nothing", undefined],
  ["a number", 7],
  ["an empty batch", []],
  ["a batch of nothing", [null]],
  ["too large a batch", Array.from({ length: 21 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))],
  ["no method", { jsonrpc: "2.0" }],
  ["another version", { jsonrpc: "1.0", id: 1, method: "ping" }],
  ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "ping" }],
  [
    "arguments that are a list",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "why", arguments: [] } },
  ],
  ["a name that is a number", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 7 } }],
])("answers %s with an error of the caller", async (_what, body) => {
  const answer = await service.send("POST", "/mcp", { key, body, headers: rpcHeaders });
  const error = answer.status === 200 ? answerIn(answer).error : undefined;
  expect(answer.status === 200 ? error?.code : answer.status).toSatisfy(
    (code: number) => code < 0 || (code >= 400 && code < 500),
  );
});

it("answers a batch of calls, each with its own run", async () => {
  const call = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "many_010", arguments: {} },
  });
  const { status, body } = await service.send("POST", "/mcp", {
    key,
    body: [call(1), call(2)],
    headers: rpcHeaders,
  });
  expect(status).toBe(200);
  expect(String(body).match(/millrace\/runId/g)).toHaveLength(2);
});

it("takes answers to questions that nobody asked, and ends of calls that nobody made", async () => {
  const answers = [
    { jsonrpc: "2.0", id: "approval run_0123 ask", result: { action: "accept" } },
    { jsonrpc: "2.0", id: "approval run_0123 \u0000", result: { action: "accept" } },
    { jsonrpc: "2.0", id: 7, error: { code: -1, message: "no" } },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } },
  ];
  for (const body of answers)
    expect((await service.send("POST", "/mcp", { key, body, headers: rpcHeaders })).status).toSatisfy(
      (status: number) => status === 202 || status === 400,
    );
});

it.each(["", "x", "e30.1", "bnVsbA.1", "x".repeat(9_000)])(
  "resumes nothing by the event id %j",
  async (id) => {
    const answer = await service.get("/mcp", key, { accept: "text/event-stream", "last-event-id": id });
    expect(answer.status).toSatisfy((status: number) => status >= 400 && status < 500);
  },
);

it("serves hundreds of calls at once, and forgets those whose callers are gone", async () => {
  const CALLS = 300;
  const leaving = new AbortController();
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "flow_slow", arguments: {} },
  });
  const headers = { ...rpcHeaders, "content-type": "application/json", authorization: `Bearer ${key}` };
  const send = () =>
    fetch(`${service.address}/mcp`, { method: "POST", body, headers, signal: leaving.signal }).then(
      (answer) => answer.text(),
    );
  const calls = Array.from({ length: CALLS }, () => send().catch(() => "gone"));
  const count = async () => {
    const { rows } = await service.database.pool.query(
      `SELECT count(*)::integer AS runs FROM runs WHERE flow_id = 'flow_slow'`,
    );
    return (rows as { runs: number }[])[0]!.runs;
  };
  await until("all are runs", async () => (await count()) === CALLS);
  leaving.abort();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["gone"]));
  gate.open();
  await until("all have ended", async () => {
    const { rows } = await service.database.pool.query(
      `SELECT FROM runs WHERE flow_id = 'flow_slow' AND status <> 'COMPLETED'`,
    );
    return rows.length === 0;
  });
  expect((await post(service, key, "ping")).status).toBe(200);
});
