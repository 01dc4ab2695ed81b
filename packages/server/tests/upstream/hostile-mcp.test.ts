import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import type { GuardedHttp } from "../../src/upstream/guarded-http/guarded-http.ts";
import { callMcpTool, listMcpTools } from "../../src/upstream/mcp.ts";
import { UpstreamError } from "../../src/upstream/upstream-error.ts";
import { hostileMcp, mcpAttacks } from "../support/hostile/mcp.ts";
import { progressDuring } from "../support/hostile/progress.ts";

let http: GuardedHttp;
beforeAll(() => void (http = createGuardedHttp({ guard: createAddressGuard({ allow: ["127.0.0.0/8"] }) })));
afterAll(() => http.close());

const signal = AbortSignal.timeout(60_000);

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a tool server ends the call in an error, and nothing else, with", { timeout: 30_000 }, () => {
  it.each(Object.entries(mcpAttacks))("%s", async (_name, script) => {
    const server = await hostileMcp(script);
    const access = { organizationId: "org_a", url: `${server.url}/mcp`, signal };
    const called = failureOf(callMcpTool(http, { ...access, tool: "t", arguments: {} }));
    const { value: error, turns } = await progressDuring(called);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(turns).toBeGreaterThan(0);
    expect(await failureOf(listMcpTools(http, access))).toBeInstanceOf(UpstreamError);
    await server.close();
  });
});

it("an answer among events is found, and what comes after it is not waited for", async () => {
  const server = await hostileMcp((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const message = {
      jsonrpc: "2.0",
      id: request.id,
      result: { content: [{ type: "text", text: "found" }] },
    };
    response.write(`event: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\n`);
    for (const byte of Buffer.from(`id: 7\ndata: ${JSON.stringify(message)}\n\n`))
      response.write(Buffer.from([byte]));
  });
  const access = { organizationId: "org_a", url: `${server.url}/mcp`, signal };
  const { content } = await callMcpTool(http, { ...access, tool: "t", arguments: {} });
  expect(content).toEqual([{ type: "text", text: "found" }]);
  await server.close();
});

it("the largest answers within the limits are read", async () => {
  const items = (count: number) => Array.from({ length: count }, () => ({ type: "text", text: "x" }));
  const tools = Array.from({ length: 5_000 }, (_, n) => ({ name: `t${n}`, inputSchema: { type: "object" } }));
  const server = await hostileMcp(({ id, method }, response) => {
    const result = method === "tools/list" ? { tools } : { content: items(16_000) };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  const access = { organizationId: "org_a", url: `${server.url}/mcp`, signal };
  const call = await callMcpTool(http, { ...access, tool: "t", arguments: {} });
  const list = await listMcpTools(http, access);
  expect(call.content).toHaveLength(16_000);
  expect(list).toHaveLength(5_000);
  await server.close();
});
