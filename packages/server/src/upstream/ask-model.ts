import { userMessage } from "../domain/agent/model-messages.ts";
import { streamChat, type ModelProvider } from "./chat-completions.ts";
import { GrowingText } from "./growing-text.ts";
import type { GuardedHttp } from "./guarded-http/guarded-http.ts";
import { ModelFault, type ModelFaultKind } from "./model-fault.ts";
import { UpstreamError } from "./upstream-error.ts";

export interface ModelQuestion {
  readonly prompt: string;
  readonly system: string | undefined;
  /** JSON Schema of the wanted object; that the answer fits it is checked by the caller. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  readonly text: string;
  readonly usage: { inputTokens: number; outputTokens: number; totalTokens: number };
}

const MAX_TEXT_LENGTH = 1_000_000;

/** One prompt, one answer, for the nodes of flows. Not retried here: the node's own `retry` decides. */
export async function askModel(
  http: GuardedHttp,
  provider: ModelProvider,
  { prompt, system, schema, signal }: ModelQuestion,
): Promise<ModelAnswer> {
  const said = new GrowingText();
  const listener = {
    onText(piece: string) {
      if (said.length + piece.length > MAX_TEXT_LENGTH) throw new ModelFault("reply_invalid");
      said.add(piece);
    },
    onActivity() {},
  };
  try {
    const request = { instructions: system, messages: [userMessage(prompt)], schema, signal };
    const { tokens } = await streamChat(http, provider, request, listener);
    const { inputTokens = 0, outputTokens = 0 } = tokens;
    const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
    return { text: said.toString(), usage };
  } catch (error) {
    signal.throwIfAborted();
    const [name, message] = FAILURES[error instanceof ModelFault ? error.kind : "unreachable"];
    throw new UpstreamError(name, message);
  }
}

const FAILURES: Record<ModelFaultKind, readonly [name: string, message: string]> = {
  key_refused: ["ModelKeyRefused", "The model provider refused the key. Check the credential."],
  model_unknown: [
    "ModelNotFound",
    "The model provider knows no such model or address. Check `model` and the credential's baseUrl.",
  ],
  rate_limited: [
    "ModelRateLimited",
    "The model provider limits the rate or the quota is used up. Try again later.",
  ],
  request_refused: [
    "ModelRequestRefused",
    "The model provider refused the request. Check the model's limits and options.",
  ],
  address_refused: [
    "ModelAddressRefused",
    "The address of the model provider is not allowed, or not among the credential's allowedHosts.",
  ],
  overloaded: ["ModelUnavailable", "The model provider is overloaded. Try again later."],
  broken: ["ModelUnavailable", "The model provider failed. Try again later."],
  unreachable: ["ModelUnavailable", "The model provider could not be reached or broke off. Try again later."],
  timed_out: ["ModelTimeout", "The model provider did not answer in time."],
  reply_failed: ["ModelUnavailable", "The model provider failed while it answered. Try again later."],
  reply_invalid: ["ModelReplyInvalid", "The model's reply could not be read."],
};
