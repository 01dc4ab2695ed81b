import { createMCPClient, MCPClientError, type CallToolResult, type MCPClient } from "@ai-sdk/mcp";
import type { GuardedHttp, HttpCredential } from "./guarded-http/guarded-http.ts";
import { mcpFetch } from "./mcp-fetch.ts";
import { findUpstreamError, UpstreamError } from "./upstream-error.ts";

interface McpAccess {
  readonly organizationId: string;
  readonly url: string;
  readonly credential?: HttpCredential | undefined;
  readonly signal: AbortSignal;
}

export interface McpCall extends McpAccess {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

export interface McpResult {
  readonly content: unknown[];
  readonly structured: unknown;
}

export interface McpToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One tool call. */
export async function callMcpTool(http: GuardedHttp, call: McpCall): Promise<McpResult> {
  const { tool: name, arguments: toolArguments, signal } = call;
  return withClient(http, call, async (client) =>
    readResult(await client.callTool({ name, arguments: toolArguments, options: { signal } })),
  );
}

/** The first page of what the server offers. */
export async function listMcpTools(http: GuardedHttp, access: McpAccess): Promise<McpToolInfo[]> {
  return withClient(http, access, async (client) => {
    const { tools } = await client.listTools({ options: { signal: access.signal } });
    return tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }));
  });
}

/** Over streamable HTTP. Never stdio: a stored command line would be remote code execution. */
async function withClient<T>(
  http: GuardedHttp,
  { organizationId, url, credential, signal }: McpAccess,
  use: (client: MCPClient) => Promise<T>,
): Promise<T> {
  const fetch = mcpFetch(http, { organizationId, ...(credential === undefined ? {} : { credential }) });
  try {
    const client = await createMCPClient({
      transport: { type: "http", url, fetch },
      clientName: "millrace",
      initializationOptions: { signal },
      // The failure of a call reaches us through the call; anything else the transport reports is of no use here.
      onUncaughtError: () => {},
    });
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  } catch (error) {
    throw mcpFailure(error);
  }
}

function readResult(result: CallToolResult): McpResult {
  const content = Array.isArray(result["content"]) ? (result["content"] as unknown[]) : [];
  if (result["isError"] === true)
    throw new UpstreamError("ToolFailed", `The tool reported an error: ${textOf(content)}`);
  return { content, structured: result["structuredContent"] ?? null };
}

const MAX_TOOL_TEXT_LENGTH = 500;

/** What a tool says is written for its caller, so the author sees it; protocol and transport errors are not passed on. */
function textOf(content: readonly unknown[]): string {
  const texts = content
    .map((part) => (part as { text?: unknown } | null)?.text)
    .filter((text) => typeof text === "string");
  return texts.join(" ").slice(0, MAX_TOOL_TEXT_LENGTH) || "(without a text)";
}

const PASSING = new Set([408, 425, 429]);
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

function mcpFailure(error: unknown): UpstreamError {
  const known = findUpstreamError(error);
  if (known !== undefined) return known;
  const { statusCode, code } = MCPClientError.isInstance(error) ? error : {};
  if (statusCode === 401 || statusCode === 403) {
    return new UpstreamError("ToolServerRefused", "The tool server refused the credential, or asks for one.");
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500 && !PASSING.has(statusCode)) {
    return new UpstreamError("ToolServerRefused", `The tool server refused the call (${statusCode}).`);
  }
  if (code === METHOD_NOT_FOUND || code === INVALID_PARAMS) {
    return new UpstreamError(
      "ToolCallInvalid",
      "The tool server knows no such tool, or refuses these arguments.",
    );
  }
  return new UpstreamError("ToolServerFailed", "The tool server could not be reached or did not speak MCP.");
}
