import type { CompletionAnswer, CompletionUsage, Model } from "@millrace/contract/completions";
import { errorCatalogue } from "@millrace/contract/errors";
import type { Locale } from "@millrace/contract/locales";
import type { ReplyUsage } from "../../domain/agent/chat.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { messageOf } from "../errors.ts";

/** What every part of one reply has in common. */
export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export function presentModel({ id, organizationId, createdAt }: AgentRecord): Model {
  return { id, object: "model", created: unixSeconds(createdAt), owned_by: organizationId };
}

export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

export function presentCompletion(
  head: CompletionHead,
  text: string,
  usage: ReplyUsage | undefined,
): CompletionAnswer {
  const message = { role: "assistant" as const, content: text, refusal: null };
  const choice = { index: 0, message, logprobs: null, finish_reason: "stop" as const };
  return { ...head, object: "chat.completion", choices: [choice], usage: presentUsage(usage) };
}

/** A part of a reply; the last one says why it ends. */
export function presentChunk(
  head: CompletionHead,
  delta: { readonly role?: "assistant"; readonly content?: string },
  finishReason: "stop" | null = null,
): object {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
  return { ...head, object: "chat.completion.chunk", choices: [choice] };
}

export function presentUsageChunk(head: CompletionHead, usage: ReplyUsage | undefined): object {
  return { ...head, object: "chat.completion.chunk", choices: [], usage: presentUsage(usage) };
}

/** What a provider does not count is none. */
function presentUsage({ inputTokens = 0, outputTokens = 0 }: Partial<ReplyUsage> = {}): CompletionUsage {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

/** An error as OpenAI's clients read it. */
export function presentOpenAiError(refusal: Refusal, locale: Locale): object {
  const { status } = errorCatalogue[refusal.code];
  const [issue] = refusal.details.issues ?? [];
  const param = issue ? issue.path.join(".") : null;
  const said = messageOf(refusal, locale);
  const message = issue ? `${said} (${[param, issue.message].filter(Boolean).join(" ")})` : said;
  const type = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  return { error: { message, type, param, code: refusal.code } };
}
