import { setTimeout as sleep } from "node:timers/promises";
import { APICallError } from "ai";
import type { ReplyFailureCode, ReplyUsage } from "../domain/agent/chat.ts";
import { assistantText, type ModelMessage, type ToolCallPart } from "../domain/agent/model-messages.ts";
import { callTools } from "./agent-tools.ts";
import type { GuardedHttp } from "./guarded-http.ts";
import { type ModelAccess, modelFailure, openModel, type OpenedModel } from "./model-provider.ts";
import { OutputWatch } from "./output-watch.ts";
import { ReplyFailure, type ReplyGenerator, type ReplyRequest } from "./reply-generator.ts";

type CallOptions = Parameters<OpenedModel["doStream"]>[0];

/**
 * Replies of a model, through the provider of the AI SDK. The steps are driven here and not by `streamText`: it costs
 * four times the work for each piece of text, and one process is meant to carry hundreds of replies.
 */
export function modelReplyGenerator(http: GuardedHttp, access: ModelAccess): ReplyGenerator {
  const model = openModel(http, access);
  return { generate: (request) => new ModelReply(model, request).write() };
}

class ModelReply {
  readonly #model: OpenedModel;
  readonly #request: ReplyRequest;
  readonly #watch: OutputWatch;
  readonly #signal: AbortSignal;
  readonly #said: ModelMessage[] = [];
  #usage: ReplyUsage;
  #stepText = "";
  #bytes = 0;

  constructor(model: OpenedModel, request: ReplyRequest) {
    this.#model = model;
    this.#request = request;
    this.#watch = new OutputWatch(request.limits);
    this.#signal = AbortSignal.any([request.signal, this.#watch.signal]);
    this.#usage = { steps: 0, toolCalls: 0, model: model.modelId };
  }

  async write() {
    try {
      await this.#steps();
      return { messages: this.#said, usage: this.#usage };
    } catch (error) {
      const failure = failureCode(this.#signal.aborted ? this.#signal.reason : error);
      return { messages: [...this.#said, ...assistantText(this.#stepText)], usage: this.#usage, failure };
    } finally {
      this.#watch.close();
    }
  }

  async #steps(): Promise<void> {
    const { tools, limits } = this.#request;
    for (let step = 1; ; step += 1) {
      const last = step >= limits.steps;
      const calls = await this.#step(last);
      if (calls.length === 0 || last) {
        this.#said.push(...assistantText(this.#stepText));
        this.#stepText = "";
        return;
      }
      this.#usage = { ...this.#usage, toolCalls: this.#usage.toolCalls + calls.length };
      this.#watch.pause();
      const results = await callTools(tools, calls, limits.toolMs, this.#signal);
      this.#watch.resume();
      const text = this.#stepText === "" ? [] : [{ type: "text" as const, text: this.#stepText }];
      this.#stepText = "";
      this.#said.push(
        { role: "assistant", content: [...text, ...calls] },
        { role: "tool", content: results },
      );
    }
  }

  /** One call of the model; the last one may not ask for tools, so that it answers. */
  async #step(last: boolean): Promise<ToolCallPart[]> {
    const { instructions, messages, tools } = this.#request;
    const prompt = [
      ...(instructions ? [{ role: "system", content: instructions }] : []),
      ...messages,
      ...this.#said,
    ] as CallOptions["prompt"];
    const { stream } = await this.#ask({
      prompt,
      abortSignal: this.#signal,
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: "function",
          name,
          description,
          inputSchema,
        })),
        toolChoice: { type: last ? "none" : "auto" },
      }),
    });
    this.#usage = { ...this.#usage, steps: this.#usage.steps + 1 };
    return this.#listen(stream.getReader());
  }

  async #ask(options: CallOptions): Promise<StreamResult> {
    for (const delayMs of this.#request.limits.retryDelaysMs) {
      try {
        return await this.#model.doStream(options);
      } catch (error) {
        if (!APICallError.isInstance(error) || !error.isRetryable) throw error;
        await sleep(delayMs, undefined, { signal: this.#signal });
      }
    }
    return await this.#model.doStream(options);
  }

  async #listen(reader: ReadableStreamDefaultReader<StreamPart>): Promise<ToolCallPart[]> {
    const calls: ToolCallPart[] = [];
    try {
      for (;;) {
        const { done, value: part } = await reader.read();
        if (done) return calls;
        switch (part.type) {
          case "text-delta":
            this.#watch.noteOutput();
            this.#say(part.delta);
            break;
          case "reasoning-delta":
          case "tool-input-start":
          case "tool-input-delta":
            this.#watch.noteOutput();
            break;
          case "tool-call":
            this.#watch.noteOutput();
            calls.push({
              type: "tool-call",
              toolCallId: part.toolCallId,
              toolName: part.toolName,
              input: parseInput(part.input),
            });
            break;
          case "finish":
            this.#count(part);
            break;
          case "error":
            // What the provider itself says is no Error, and nobody's to read.
            throw part.error instanceof Error ? part.error : new ReplyFailure("upstream_failed");
          default:
        }
      }
    } finally {
      void reader.cancel().catch(() => {});
    }
  }

  #say(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#request.limits.replyBytes) throw new ReplyFailure("upstream_failed");
    this.#stepText += text;
    this.#request.onText(text);
  }

  #count({ usage, finishReason }: Extract<StreamPart, { type: "finish" }>): void {
    const add = (name: keyof ReplyUsage, tokens: number | undefined) =>
      tokens === undefined ? {} : { [name]: Number(this.#usage[name] ?? 0) + tokens };
    this.#usage = {
      ...this.#usage,
      ...add("inputTokens", usage.inputTokens.total),
      ...add("cachedInputTokens", usage.inputTokens.cacheRead),
      ...add("outputTokens", usage.outputTokens.total),
      ...add("reasoningTokens", usage.outputTokens.reasoning),
      finishReason: finishReason.unified,
    };
  }
}

type StreamResult = Awaited<ReturnType<OpenedModel["doStream"]>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

/** Models do write arguments that are no JSON; the tool then says so to the model. */
function parseInput(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}

function failureCode(error: unknown): ReplyFailureCode {
  if (error instanceof ReplyFailure) return error.code;
  // It was reached and is not overloaded; it failed.
  if (APICallError.isInstance(error) && error.statusCode === 500) return "upstream_failed";
  const { name } = modelFailure(error);
  if (name === "ModelTimeout") return "upstream_timed_out";
  return name === "ModelUnavailable" || name === "ModelRateLimited"
    ? "upstream_unavailable"
    : "upstream_failed";
}
