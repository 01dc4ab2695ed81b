import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../support/runs-until.ts";
import { connectSecond, init, newClient } from "./support.ts";
import { startToolService, type ToolService } from "./tool-service.ts";
import { startWire } from "./wire.ts";

let tools: ToolService;
let service: ToolService["service"];
let gate: ToolService["gate"];
let key: string;
let runsOf: ToolService["runsOf"];
beforeAll(async () => {
  tools = await startToolService();
  ({ service, gate, key, runsOf } = tools);
});
afterAll(() => tools.close());

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
