import type { ToolCallPart, ToolResultPart } from "../domain/agent/model-messages.ts";
import type { GuardedHttp, HttpCredential } from "./guarded-http/guarded-http.ts";
import { type FreshCache, freshCache, type Stopwatch } from "../domain/fresh-cache.ts";
import type { McpToolInfo } from "./mcp.ts";
import type { AgentTool } from "./reply-generator.ts";
import { UpstreamError } from "./upstream-error.ts";

const MAX_CALLS_AT_ONCE = 16;
const MAX_RESULT_LENGTH = 50_000;

/** Answers every call of one step. A tool that fails or does not exist is an answer too: the model goes on from it. */
export function callTools(
  tools: readonly AgentTool[],
  calls: readonly ToolCallPart[],
  toolMs: number,
  signal: AbortSignal,
): Promise<ToolResultPart[]> {
  return Promise.all(
    calls.map(async (call, at): Promise<ToolResultPart> => {
      const tool = tools.find(({ name }) => name === call.toolName);
      const { toolCallId, toolName } = call;
      const answer = (type: "text" | "error-text", value: string): ToolResultPart => ({
        type: "tool-result",
        toolCallId,
        toolName,
        output: { type, value: value.slice(0, MAX_RESULT_LENGTH) },
      });
      if (at >= MAX_CALLS_AT_ONCE) return answer("error-text", "Too many tool calls at once.");
      if (!tool) return answer("error-text", "There is no such tool.");
      if (!isObject(call.input)) return answer("error-text", "The arguments must be a JSON object.");
      const limited = AbortSignal.any([signal, AbortSignal.timeout(toolMs)]);
      try {
        return answer("text", await within(limited, tool.call(call.input, limited)));
      } catch (error) {
        // The reply itself was ended, not the tool.
        signal.throwIfAborted();
        if (limited.aborted) return answer("error-text", "The tool did not answer in time.");
        return answer("error-text", error instanceof UpstreamError ? error.message : "The tool failed.");
      }
    }),
  );
}

/** A tool that does not listen to the signal must not hold the reply. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface McpToolServer {
  readonly organizationId: string;
  readonly url: string;
  readonly credential: HttpCredential | undefined;
}

const LIST_FRESH_MS = 300_000;
const LIST_MS = 10_000;
const MAX_LISTS = 1_000;

/** The tools of MCP servers; what a server offers is asked for once in five minutes. */
export class McpTools {
  readonly #http: GuardedHttp;
  readonly #lists: FreshCache<readonly McpToolInfo[]>;

  constructor(http: GuardedHttp, clock: Stopwatch = performance) {
    this.#http = http;
    this.#lists = freshCache({ maxEntries: MAX_LISTS, freshMs: LIST_FRESH_MS, clock });
  }

  /** None where the server cannot be reached: the agent then answers without them. */
  async toolsOf(server: McpToolServer, signal: AbortSignal): Promise<AgentTool[]> {
    const tools = await this.#list(server, signal).catch(() => []);
    return tools.map(({ name, description, inputSchema }) => ({
      name: name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
      description,
      inputSchema,
      call: async (input, callSignal) => {
        const { callMcpTool } = await import("./mcp.ts");
        const { content, structured } = await callMcpTool(this.#http, {
          ...server,
          tool: name,
          arguments: input,
          signal: callSignal,
        });
        return JSON.stringify(structured ?? content);
      },
    }));
  }

  async #list(server: McpToolServer, signal: AbortSignal): Promise<readonly McpToolInfo[]> {
    const key = JSON.stringify([server.organizationId, server.url, server.credential?.header]);
    const known = this.#lists.get(key);
    if (known) return known;
    const { listMcpTools } = await import("./mcp.ts");
    const tools = await listMcpTools(this.#http, {
      ...server,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]),
    });
    this.#lists.set(key, tools);
    return tools;
  }
}
