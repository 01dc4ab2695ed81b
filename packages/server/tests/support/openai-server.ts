import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { readText, startLoopbackServer } from "./loopback-server.ts";

/** What one call is answered with. Without anything: an empty text. */
export interface OpenAiReply {
  /** The whole text; streamed word by word unless `chunks` says otherwise. */
  readonly text?: string;
  readonly chunks?: readonly string[];
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number };
  /** Awaited before the headers (index -1) and before each streamed chunk: tests hold a reply back with it. */
  readonly beforeChunk?: (index: number) => void | Promise<void>;
  /** An error answer instead of a reply. */
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the connection after so many chunks; 0 before the first byte of a plain answer. */
  readonly cutAfterChunks?: number;
  /** Answers 200 with something that is no JSON. */
  readonly malformed?: boolean;
}

export interface OpenAiRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: OpenAiRequestBody;
  /** Settles when the exchange is over; true where the client went away before the end. */
  readonly abandoned: Promise<boolean>;
}

interface OpenAiRequestBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
  readonly response_format?: unknown;
}

export interface OpenAiServer {
  readonly baseUrl: string;
  readonly requests: OpenAiRequest[];
  close(): Promise<void>;
}

/** A small OpenAI-compatible server: chat completions, plain and streamed, with pacing and faults. */
export async function startOpenAiServer(
  reply: (request: OpenAiRequest, index: number) => OpenAiReply,
): Promise<OpenAiServer> {
  const requests: OpenAiRequest[] = [];
  const server = await startLoopbackServer(async (incoming, response) => {
    const body = JSON.parse(await readText(incoming)) as OpenAiRequestBody;
    const abandoned = once(response, "close").then(() => !response.writableFinished);
    const request = { path: incoming.url ?? "", headers: incoming.headers, body, abandoned };
    const answer = reply(request, requests.push(request) - 1);
    await answer.beforeChunk?.(-1);
    if (answer.status !== undefined || answer.malformed) return sendFault(response, answer);
    await (body.stream ? sendStream(response, body.model, answer) : sendPlain(response, body.model, answer));
  });
  return { baseUrl: `${server.url}/v1`, requests, close: () => server.close() };
}

function sendFault(response: ServerResponse, answer: OpenAiReply): void {
  response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
  response.end(answer.body ?? (answer.malformed ? "{not json" : '{"error":{"message":"refused"}}'));
}

function sendPlain(response: ServerResponse, model: string, answer: OpenAiReply): void {
  if (answer.cutAfterChunks !== undefined) return void response.destroy();
  const message = { role: "assistant", content: textOf(answer), ...toolCallsOf(answer) };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, message, finish_reason: finishReasonOf(answer) }],
      usage: usageOf(answer),
    }),
  );
}

async function sendStream(response: ServerResponse, model: string, answer: OpenAiReply): Promise<void> {
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
  const send = (choices: unknown[], extra: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...base, choices, ...extra })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  const chunks = answer.chunks ?? textOf(answer).split(/(?<= )/);
  for (const [index, content] of chunks.entries()) {
    await answer.beforeChunk?.(index);
    if (index === answer.cutAfterChunks || response.destroyed) return void response.destroy();
    send([{ index: 0, delta: { role: "assistant", content }, finish_reason: null }]);
  }
  if (answer.cutAfterChunks !== undefined) return void response.destroy();
  if (answer.toolCalls) send([{ index: 0, delta: toolCallsOf(answer), finish_reason: null }]);
  send([{ index: 0, delta: {}, finish_reason: finishReasonOf(answer) }]);
  send([], { usage: usageOf(answer) });
  response.end("data: [DONE]\n\n");
}

function textOf(answer: OpenAiReply): string {
  return answer.text ?? answer.chunks?.join("") ?? "";
}

function toolCallsOf({ toolCalls }: OpenAiReply): object {
  if (toolCalls === undefined) return {};
  return {
    tool_calls: toolCalls.map((call, index) => ({
      index,
      id: `call_${index}`,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  };
}

function finishReasonOf({ toolCalls }: OpenAiReply): string {
  return toolCalls === undefined ? "stop" : "tool_calls";
}

function usageOf({ usage }: OpenAiReply): object {
  const { promptTokens = 3, completionTokens = 5 } = usage ?? {};
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
