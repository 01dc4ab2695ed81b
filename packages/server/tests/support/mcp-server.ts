import type { IncomingHttpHeaders } from "node:http";
import { readText, startLoopbackServer } from "./loopback-server.ts";

export interface McpToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  /** The `result` of tools/call; an Error becomes a JSON-RPC error of invalid parameters. */
  readonly call: (
    toolArguments: Record<string, unknown>,
    headers: IncomingHttpHeaders,
  ) => object | Promise<object>;
}

export interface McpServer {
  readonly url: string;
  /** HTTP method and JSON-RPC method of every request, in order. */
  readonly calls: string[];
  close(): Promise<void>;
}

interface RpcRequest {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
    readonly protocolVersion?: string;
  };
}

const SESSION = "mcp-session-1";

/** A small MCP server over streamable HTTP: initialize, tools/list, tools/call, one session, no server messages. */
export async function startMcpServer(tools: readonly McpToolDefinition[]): Promise<McpServer> {
  const calls: string[] = [];
  const server = await startLoopbackServer(async (incoming, response) => {
    if (incoming.method !== "POST") {
      calls.push(incoming.method ?? "");
      return void response.writeHead(incoming.method === "DELETE" ? 204 : 405).end();
    }
    const request = JSON.parse(await readText(incoming)) as RpcRequest;
    calls.push(`POST ${request.method}`);
    if (request.id === undefined) return void response.writeHead(202).end();
    const answer = await answerTo(request, tools, incoming.headers);
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": SESSION });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: request.id, ...answer }));
  });
  return { url: `${server.url}/mcp`, calls, close: () => server.close() };
}

async function answerTo(
  { method, params }: RpcRequest,
  tools: readonly McpToolDefinition[],
  headers: IncomingHttpHeaders,
): Promise<object> {
  if (method === "initialize") {
    const protocolVersion = params?.protocolVersion ?? "2025-06-18";
    return {
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "test", version: "1" } },
    };
  }
  if (method === "tools/list") {
    return {
      result: {
        tools: tools.map(({ name, description = "", inputSchema = { type: "object" } }) => ({
          name,
          description,
          inputSchema,
        })),
      },
    };
  }
  if (method !== "tools/call") return { error: { code: -32601, message: "Method not found" } };
  const tool = tools.find(({ name }) => name === params?.name);
  if (tool === undefined) return { error: { code: -32602, message: `Unknown tool: ${params?.name}` } };
  try {
    return { result: await tool.call(params?.arguments ?? {}, headers) };
  } catch (error) {
    return { error: { code: -32602, message: (error as Error).message } };
  }
}
