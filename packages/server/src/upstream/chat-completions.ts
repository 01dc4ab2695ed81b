import type { ModelMessage, ToolCallPart } from "../domain/agent/model-messages.ts";
import { ChatReader, type ChatListener, type ChatStep } from "./chat-completions-reader.ts";
import type { GuardedHttp, HttpCredential } from "./guarded-http/guarded-http.ts";
import { connectionFault, statusFault } from "./model-fault.ts";
import type { AgentTool } from "./reply-generator.ts";

/** An OpenAI-compatible provider and one of its models. */
export interface ModelProvider {
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly credential: HttpCredential | undefined;
  /** One exchange; at most five minutes. */
  readonly totalMs: number;
}

export interface ChatRequest {
  readonly instructions: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly AgentTool[];
  readonly mayUseTools?: boolean;
  /** JSON Schema of the wanted answer. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
}

/** The guard adds the key, and only for the hosts that may see it: no error on the way can hold it. */
export function keyCredential(
  apiKey: string | undefined,
  rules: Omit<HttpCredential, "header"> | undefined,
): HttpCredential | undefined {
  if (!apiKey) return undefined;
  const { allowedHosts = [], allowUnencrypted = false } = rules ?? {};
  return { allowedHosts, allowUnencrypted, header: { name: "authorization", value: `Bearer ${apiKey}` } };
}

// A token is a few bytes of text in a few hundred bytes of JSON.
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * One streamed answer of an OpenAI-compatible provider, by hand: libraries check and copy every piece several times,
 * and one process is meant to carry hundreds of replies at once. What goes wrong with the model is a ModelFault.
 */
export async function streamChat(
  http: GuardedHttp,
  provider: ModelProvider,
  request: ChatRequest,
  listener: ChatListener,
): Promise<ChatStep> {
  const { organizationId, credential, totalMs } = provider;
  try {
    const { status, body, close } = await http.open({
      url: `${provider.baseUrl.replace(/\/+$/, "")}/chat/completions`,
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(bodyOf(provider.model, request)),
      signal: request.signal,
      organizationId,
      totalMs,
      maxBytes: MAX_ANSWER_BYTES,
      ...(credential && { credential }),
    });
    if (status !== 200) {
      close();
      throw statusFault(status);
    }
    const reader = new ChatReader(listener);
    for await (const bytes of body) reader.push(bytes);
    return reader.end();
  } catch (error) {
    request.signal.throwIfAborted();
    throw connectionFault(error) ?? error;
  }
}

function bodyOf(
  model: string,
  { instructions, messages, tools = [], mayUseTools = true, schema }: ChatRequest,
): object {
  return {
    model,
    messages: [
      ...(instructions ? [{ role: "system", content: instructions }] : []),
      ...messages.flatMap(toWireMessages),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
      tool_choice: mayUseTools ? "auto" : "none",
    }),
    ...(schema && {
      response_format: { type: "json_schema", json_schema: { name: "response", strict: true, schema } },
    }),
  };
}

function toWireMessages(message: ModelMessage): object[] {
  if (message.role === "tool") {
    return message.content.map(({ toolCallId, output }) => ({
      role: "tool",
      tool_call_id: toolCallId,
      content: output.value,
    }));
  }
  const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (message.role === "user") return [{ role: "user", content: text }];
  const calls = message.content.filter((part): part is ToolCallPart => part.type === "tool-call");
  if (calls.length === 0) return [{ role: "assistant", content: text }];
  const wireCalls = calls.map(({ toolCallId, toolName, input }) => ({
    id: toolCallId,
    type: "function",
    function: { name: toolName, arguments: JSON.stringify(input) },
  }));
  return [{ role: "assistant", content: text || null, tool_calls: wireCalls }];
}
