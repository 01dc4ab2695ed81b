import type { ModelMessage, ToolCallPart } from "../domain/agent/model-messages.ts";
import { ChatReader, type ChatListener, type ChatStep } from "./chat-completions-reader.ts";
import type { GuardedHttp, HttpCredential } from "./guarded-http.ts";
import { type AgentTool, ReplyFailure } from "./reply-generator.ts";
import { findUpstreamError } from "./upstream-error.ts";

export interface ChatProvider {
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly credential: HttpCredential | undefined;
  readonly totalMs: number;
}

export interface ChatRequest {
  readonly instructions: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly AgentTool[];
  readonly mayUseTools: boolean;
  readonly signal: AbortSignal;
}

/** Refused or failed before its first word, in a way that may pass. */
export class PassingFailure extends ReplyFailure {}

// A token is a few bytes of text in a few hundred bytes of JSON.
const LARGEST_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * One streamed answer of an OpenAI-compatible provider, by hand: libraries check and copy every piece several times,
 * and one process is meant to carry hundreds of replies at once. Whatever goes wrong is a ReplyFailure.
 */
export async function streamChat(
  http: GuardedHttp,
  provider: ChatProvider,
  request: ChatRequest,
  listener: ChatListener,
): Promise<ChatStep> {
  const { organizationId, credential, totalMs } = provider;
  const fetch = http.fetchFor({
    organizationId,
    totalMs,
    maxBytes: LARGEST_ANSWER_BYTES,
    ...(credential && { credential }),
  });
  try {
    const answer = await fetch(`${provider.baseUrl.replace(/\/+$/, "")}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(bodyOf(provider.model, request)),
      signal: request.signal,
    });
    if (answer.status !== 200 || !answer.body) {
      await answer.body?.cancel();
      throw statusFailure(answer.status);
    }
    return await read(answer.body, listener);
  } catch (error) {
    if (error instanceof ReplyFailure) throw error;
    throw request.signal.aborted ? request.signal.reason : connectionFailure(error);
  }
}

async function read(body: ReadableStream<Uint8Array>, listener: ChatListener): Promise<ChatStep> {
  const stream = body.getReader();
  const reader = new ChatReader(listener);
  try {
    for (;;) {
      const { done, value } = await stream.read();
      if (done) return reader.end();
      reader.push(value);
    }
  } finally {
    // Nobody waits for it: the connection is closed, whatever the other side still sends.
    void stream.cancel().catch(() => {});
  }
}

function statusFailure(status: number): ReplyFailure {
  if (status === 429 || status > 500) return new PassingFailure("upstream_unavailable");
  return status === 500 ? new PassingFailure("upstream_failed") : new ReplyFailure("upstream_failed");
}

const CONNECTION_FAILURES: Record<string, ReplyFailure["code"]> = {
  ConnectTimeout: "upstream_timed_out",
  HttpTimeout: "upstream_timed_out",
  ConnectFailed: "upstream_unavailable",
  ConnectionLost: "upstream_unavailable",
  NameNotFound: "upstream_unavailable",
};

function connectionFailure(error: unknown): ReplyFailure {
  return new ReplyFailure(CONNECTION_FAILURES[findUpstreamError(error)?.name ?? ""] ?? "upstream_failed");
}

function bodyOf(model: string, { instructions, messages, tools, mayUseTools }: ChatRequest): object {
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
