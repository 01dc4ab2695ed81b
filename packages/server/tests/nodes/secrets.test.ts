import { createServer as createTcpServer } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secretTexts } from "../../src/domain/credential-secret.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { readText, startLoopbackServer, type LoopbackServer } from "../support/loopback-server.ts";
import { startMcpServer, type McpServer } from "../support/mcp-server.ts";
import { startOpenAiServer, type OpenAiServer } from "../support/openai-server.ts";
import { openOutside, type Outside } from "./outside.ts";
import { runNode } from "./run-node.ts";

const CANARY = "canary-5f2a9c";
const allowedHosts = ["127.0.0.1"];

let outside: Outside;
/** Each of these servers sends everything back that it has received. */
let echo: LoopbackServer;
let model: OpenAiServer;
let tools: McpServer;
let refusing: { port: number; close(): void };

beforeAll(async () => {
  outside = openOutside();
  echo = await startLoopbackServer(async (request, response) => {
    const body = JSON.stringify({
      [String(request.headers.authorization)]: request.headers,
      body: await readText(request),
    });
    const status = request.url === "/fail" ? 500 : 200;
    response
      .writeHead(status, { "content-type": "application/json", "x-echo": request.headers.authorization })
      .end(body);
  });
  model = await startOpenAiServer(({ headers }) => ({ text: `You sent ${headers.authorization}` }));
  tools = await startMcpServer([
    {
      name: "echo",
      call: (_arguments, headers) => ({ content: [{ type: "text", text: JSON.stringify(headers) }] }),
    },
    {
      name: "fail",
      call: (_arguments, headers) => ({
        isError: true,
        content: [{ type: "text", text: JSON.stringify(headers) }],
      }),
    },
  ]);
  refusing = await startRefusingServer();
});

afterAll(async () => {
  await outside.close();
  await Promise.all([echo.close(), model.close(), tools.close()]);
  refusing.close();
});

const bearer = { type: "http-bearer", secret: { token: CANARY } };
const basic = { type: "http-basic", secret: { user: "ada", password: CANARY } };

const attempts = () =>
  [
    ["http-request", bearer, { url: echo.url }],
    ["http-request", basic, { url: echo.url }],
    ["http-request", bearer, { url: `${echo.url}/fail` }],
    [
      "llm",
      { type: "model-provider", secret: { baseUrl: model.baseUrl, apiKey: CANARY } },
      { model: "m", prompt: "Hi" },
    ],
    [
      "llm",
      { type: "model-provider", secret: { baseUrl: `${echo.url}/fail`, apiKey: CANARY } },
      { model: "m", prompt: "Hi" },
    ],
    ["mcp-tool", bearer, { url: tools.url, tool: "echo" }],
    ["mcp-tool", bearer, { url: tools.url, tool: "fail" }],
    ["mcp-tool", bearer, { url: `${echo.url}/fail`, tool: "echo" }],
    [
      "sql",
      {
        type: "postgres",
        secret: { connectionString: `postgres://ada:${CANARY}@127.0.0.1:${refusing.port}/db` },
      },
      { query: "SELECT 1" },
    ],
    ["approval", bearer, { message: "?", notify: { "http-request": { url: `${echo.url}/fail` } } }],
    [
      "email",
      {
        type: "smtp",
        secret: { host: "127.0.0.1", port: String(refusing.port), user: "ada", password: CANARY },
      },
      { to: "a@example.com", from: "b@example.com", subject: "Hi", text: "Hi" },
    ],
  ] as const;

describe("a credential's secret", () => {
  it("appears in no output, log or error of any node that takes one", async () => {
    const tried = new Set<string>();
    for (const [type, { type: credentialType, secret }, inputs] of attempts()) {
      tried.add(type);
      const logs: string[] = [];
      const credential = {
        id: "cred_1",
        type: credentialType,
        allowedHosts,
        allowUnencrypted: true,
        secret: secret as Record<string, string>,
      };
      const parts = { services: outside, credential, log: (line: string) => logs.push(line) };
      const outcome = await Promise.resolve(runNode(type, inputs, parts)).catch((error: Error) => ({
        fields: Object.entries(error),
        name: error.name,
        message: error.message,
        stack: error.stack,
        cause: error.cause,
      }));
      const said = JSON.stringify([outcome, logs]);
      for (const text of secretTexts(credential.secret)) expect(said).not.toContain(text);
    }
    const takers = [...nodeTypes.values()].filter((node) => node.credential !== undefined);
    expect([...tried].sort()).toEqual(takers.map((node) => node.type).sort());
  });

  it("is replaced where a server sends it back", async () => {
    const credential = { id: "cred_1", allowedHosts, allowUnencrypted: true, ...bearer };
    const outcome = await runNode("http-request", { url: echo.url }, { services: outside, credential });
    expect(JSON.stringify(outcome)).toContain("Bearer [secret]");
  });
});

async function startRefusingServer() {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.end("no\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as { port: number }).port, close: () => void server.close() };
}
