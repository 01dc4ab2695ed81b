import type { IncomingMessage, ServerResponse } from "node:http";
import { readText, startLoopbackServer, type LoopbackServer } from "../loopback-server.ts";

interface McpRequest {
  readonly id?: number | string;
  readonly method: string;
}

type McpScript = (request: McpRequest, response: ServerResponse) => void;

/** An MCP server that greets as it should and answers tools/list and tools/call as the script says. */
export function hostileMcp(script: McpScript): Promise<LoopbackServer> {
  return startLoopbackServer(async (incoming: IncomingMessage, response) => {
    if (incoming.method !== "POST") return void response.writeHead(405).end();
    const request = JSON.parse(await readText(incoming)) as McpRequest;
    if (request.id === undefined) return void response.writeHead(202).end();
    if (request.method.startsWith("tools/")) return script(request, response);
    if (request.method !== "initialize") return void response.writeHead(404).end();
    const result = {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "hostile", version: "1" },
    };
    sendJson(response, JSON.stringify({ jsonrpc: "2.0", id: request.id, result }));
  });
}

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}

function sendEvents(response: ServerResponse, first: string, more?: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(first);
  if (more === undefined) return void response.end();
  const flood = () => {
    while (!response.destroyed && response.write(more.repeat(Math.ceil(65_536 / more.length))));
  };
  response.on("drain", flood);
  flood();
}

const answer = ({ id }: McpRequest, result: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
const notice = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';

/** Whole answers to a call of a tool. */
export const mcpAttacks: Record<string, McpScript> = {
  "a body without end": (_request, response) => sendEvents(response, "", "x"),
  "notifications without end": (_request, response) => sendEvents(response, "", `data: ${notice}\n\n`),
  "comments without end": (_request, response) => sendEvents(response, "", ":\n"),
  "empty events without end": (_request, response) => sendEvents(response, "", "data: {}\n\n"),
  "an event without end": (_request, response) => sendEvents(response, "data: ", "data: [\n"),
  "one line in small pieces": (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: ");
    const timer = setInterval(() => response.write("x".repeat(16)), 0);
    setTimeout(() => response.end(), 300);
    response.on("close", () => clearInterval(timer));
  },
  "JSON nested 500,000 deep": (request, response) =>
    sendJson(response, answer(request, "[".repeat(500_000) + "]".repeat(500_000))),
  "a million values": (request, response) =>
    sendJson(response, answer(request, `{"content":[${"1,".repeat(1_000_000)}1]}`)),
  "a batch of 100,000 messages": (_request, response) =>
    sendJson(response, `[${Array.from({ length: 100_000 }, () => notice).join()}]`),
  "an answer to another question": (_request, response) =>
    sendJson(response, '{"jsonrpc":"2.0","id":"other","result":{}}'),
  "no answer in its events": (_request, response) => sendEvents(response, `data: ${notice}\n\n`),
  "nothing with 202": (_request, response) => void response.writeHead(202).end(),
  "something that is not JSON": (_request, response) => sendJson(response, "<html>"),
  "a redirect to itself": (_request, response) => void response.writeHead(307, { location: "/" }).end(),
  "a result of another kind": (request, response) => sendJson(response, answer(request, "7")),
  "a reset": (_request, response) => void response.socket?.resetAndDestroy(),
};
