import { setTimeout as sleep } from "node:timers/promises";
import type { ReplyFailureCode, ReplyUsage, TokenCounts } from "../domain/agent/chat.ts";
import { assistantText, type ModelMessage, type ToolCallPart } from "../domain/agent/model-messages.ts";
import { toolAnswered, toolCalled } from "../domain/agent/tool-events.ts";
import { callTools } from "./agent-tools.ts";
import { type ModelProvider, streamChat } from "./chat-completions.ts";
import type { ChatStep } from "./chat-completions-reader.ts";
import { GrowingText } from "./growing-text.ts";
import type { GuardedHttp } from "./guarded-http/guarded-http.ts";
import { ModelFault, type ModelFaultKind } from "./model-fault.ts";
import { OutputWatch } from "./output-watch.ts";
import { ReplyFailure, type ReplyGenerator, type ReplyRequest, type ReplyResult } from "./reply-generator.ts";

/** Replies of a model: it is asked, its tools are called, it is asked again with what they found. */
export function modelReplyGenerator(http: GuardedHttp, provider: ModelProvider): ReplyGenerator {
  return { generate: (request) => new ModelReply(http, provider, request).write() };
}

class ModelReply {
  readonly #http: GuardedHttp;
  readonly #provider: ModelProvider;
  readonly #request: ReplyRequest;
  readonly #watch: OutputWatch;
  readonly #signal: AbortSignal;
  readonly #said: ModelMessage[] = [];
  #usage: ReplyUsage;
  readonly #stepText = new GrowingText();
  #bytes = 0;

  constructor(http: GuardedHttp, provider: ModelProvider, request: ReplyRequest) {
    this.#http = http;
    this.#provider = provider;
    this.#request = request;
    this.#watch = new OutputWatch(request.limits);
    this.#signal = AbortSignal.any([request.signal, this.#watch.signal]);
    this.#usage = { steps: 0, toolCalls: 0, model: provider.model };
  }

  async write(): Promise<ReplyResult> {
    try {
      await this.#steps();
      return { messages: this.#said, usage: this.#usage };
    } catch (error) {
      const messages = [...this.#said, ...assistantText(this.#stepText.toString())];
      return { messages, usage: this.#usage, failure: failureOf(error) };
    } finally {
      this.#watch.close();
    }
  }

  async #steps(): Promise<void> {
    const { tools, limits } = this.#request;
    for (let step = 1; ; step += 1) {
      const last = step >= limits.steps;
      const { calls, ...counted } = await this.#ask(!last);
      this.#count(counted);
      if (calls.length === 0 || last) {
        this.#said.push(...assistantText(this.#takeStepText()));
        return;
      }
      this.#usage = { ...this.#usage, toolCalls: this.#usage.toolCalls + calls.length };
      for (const call of calls) this.#request.onTool(toolCalled(call));
      this.#watch.pause();
      const results = await callTools(tools, calls, limits.toolMs, this.#signal);
      this.#watch.resume();
      for (const result of results) this.#request.onTool(toolAnswered(result));
      this.#said.push(assistantCalls(this.#takeStepText(), calls), { role: "tool", content: results });
    }
  }

  /** The last step may not ask for tools, so that it answers. */
  async #ask(mayUseTools: boolean): Promise<ChatStep> {
    const { instructions, messages, tools, limits } = this.#request;
    for (let retry = 0; ; retry += 1) {
      try {
        return await streamChat(
          this.#http,
          this.#provider,
          { instructions, tools, mayUseTools, signal: this.#signal, messages: [...messages, ...this.#said] },
          { onText: (text) => this.#say(text), onActivity: () => this.#watch.noteOutput() },
        );
      } catch (error) {
        const delayMs = limits.retryDelaysMs[retry];
        if (delayMs === undefined || !mayPass(error)) throw error;
        await sleep(delayMs, undefined, { signal: this.#signal }).catch(() => {});
        this.#signal.throwIfAborted();
      }
    }
  }

  #say(text: string): void {
    this.#watch.noteOutput();
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#request.limits.replyBytes) throw new ReplyFailure("upstream_failed");
    this.#stepText.add(text);
    this.#request.onText(text);
  }

  #takeStepText(): string {
    const text = this.#stepText.toString();
    this.#stepText.clear();
    return text;
  }

  #count({ tokens, finishReason }: Omit<ChatStep, "calls">): void {
    const sums = Object.entries(tokens).map(([name, count]: [string, number]) => {
      return [name, (this.#usage[name as keyof TokenCounts] ?? 0) + count];
    });
    this.#usage = {
      ...this.#usage,
      ...(Object.fromEntries(sums) as TokenCounts),
      steps: this.#usage.steps + 1,
      ...(finishReason !== undefined && { finishReason }),
    };
  }
}

function assistantCalls(text: string, calls: readonly ToolCallPart[]): ModelMessage {
  return {
    role: "assistant",
    content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls],
  };
}

/** Refused before the first word, in a way that may pass. */
function mayPass(error: unknown): boolean {
  return error instanceof ModelFault && ["rate_limited", "overloaded", "broken"].includes(error.kind);
}

const FAILURES: Partial<Record<ModelFaultKind, ReplyFailureCode>> = {
  rate_limited: "upstream_unavailable",
  overloaded: "upstream_unavailable",
  unreachable: "upstream_unavailable",
  timed_out: "upstream_timed_out",
};

function failureOf(error: unknown): ReplyFailureCode {
  if (error instanceof ReplyFailure) return error.code;
  return (error instanceof ModelFault && FAILURES[error.kind]) || "upstream_failed";
}
