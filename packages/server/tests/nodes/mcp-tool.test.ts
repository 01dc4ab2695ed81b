import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { startMcpServer, type McpServer } from "../support/mcp-server.ts";
import { openOutside, type Outside } from "./outside.ts";
import { errorOf, outputOf } from "./run-node.ts";

let outside: Outside;
let server: McpServer;
const hanging = Promise.withResolvers<object>();

beforeAll(async () => {
  outside = openOutside();
  server = await startMcpServer([
    {
      name: "add",
      call: ({ a, b }, headers) => ({
        content: [{ type: "text", text: `sum by ${headers.authorization ?? "nobody"}` }],
        structuredContent: { sum: Number(a) + Number(b) },
      }),
    },
    { name: "plain", call: () => ({ content: [{ type: "text", text: "hello" }] }) },
    {
      name: "broken",
      call: () => ({ isError: true, content: [{ type: "text", text: "the index is empty" }] }),
    },
    { name: "hang", call: () => hanging.promise },
  ]);
});

afterAll(async () => {
  await outside.close();
  await server.close();
});

describe("mcp-tool", () => {
  it("calls a tool and answers its content and its structured form", async () => {
    const output = await outputOf(
      "mcp-tool",
      { url: server.url, tool: "add", arguments: { a: 1, b: 2 } },
      { services: outside },
    );
    expect(output).toEqual({ content: [{ type: "text", text: "sum by nobody" }], structured: { sum: 3 } });
    expect(
      (await outputOf("mcp-tool", { url: server.url, tool: "plain" }, { services: outside }))["structured"],
    ).toBeNull();
  });

  it("closes its session, also after a failure", async () => {
    server.calls.length = 0;
    await errorOf("mcp-tool", { url: server.url, tool: "broken" }, { services: outside });
    expect(server.calls.at(-1)).toBe("DELETE");
  });

  it.each([
    ["broken", "ToolFailed", "The tool reported an error: the index is empty"],
    ["unknown", "ToolCallInvalid", "The tool server knows no such tool, or refuses these arguments."],
  ])("tells the author what became of %s", async (tool, name, message) => {
    const error = await errorOf("mcp-tool", { url: server.url, tool }, { services: outside });
    expect([error.name, error.message]).toEqual([name, message]);
  });

  it.each([
    [401, "ToolServerRefused"],
    [500, "ToolServerFailed"],
  ])("maps status %i to a fixed text", async (status, name) => {
    const other = await startLoopbackServer(
      (_request, response) => void response.writeHead(status).end("inner secret"),
    );
    const error = await errorOf("mcp-tool", { url: other.url, tool: "add" }, { services: outside });
    await other.close();
    expect(error.name).toBe(name);
    expect(error.message).not.toContain("inner secret");
  });

  it("stops when it is aborted", async () => {
    server.calls.length = 0;
    const controller = new AbortController();
    const failure = errorOf(
      "mcp-tool",
      { url: server.url, tool: "hang" },
      { services: outside, signal: controller.signal },
    );
    await expect.poll(() => server.calls).toContain("POST tools/call");
    controller.abort(new Error("canceled"));
    expect((await failure).message).toBe("canceled");
    hanging.resolve({ content: [] });
  });

  it("speaks HTTP only", async () => {
    await expect(outputOf("mcp-tool", { url: "stdio:///bin/sh", tool: "x" })).rejects.toThrow();
  });
});
