import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AISDKError, APICallError, jsonSchema, Output, RetryError, streamText, type LanguageModel } from "ai";
import { z } from "zod";
import type { GuardedHttp } from "./guarded-http.ts";
import { findUpstreamError, UpstreamError } from "./upstream-error.ts";

export interface ModelAccess {
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Hosts that may see the key. */
  readonly allowedHosts: readonly string[];
  /** One exchange with the provider; default and at most five minutes. */
  readonly totalMs?: number;
}

const LONGEST_REPLY_MS = 300_000;

/** An OpenAI-compatible model behind the guard. The key is added by the guard, so no error of the library can hold it. */
export function openModel(http: GuardedHttp, access: ModelAccess): LanguageModel {
  const { organizationId, apiKey, allowedHosts, totalMs = LONGEST_REPLY_MS } = access;
  const credential = apiKey
    ? { allowedHosts, header: { name: "authorization", value: `Bearer ${apiKey}` } }
    : undefined;
  const provider = createOpenAICompatible({
    name: "model-provider",
    baseURL: access.baseUrl,
    supportsStructuredOutputs: true,
    includeUsage: true,
    fetch: http.fetchFor({
      organizationId,
      ...(credential === undefined ? {} : { credential }),
      totalMs,
    }),
  });
  return provider(access.model);
}

export interface ModelRequest {
  readonly prompt: string;
  readonly system?: string | undefined;
  /** JSON Schema of the wanted object. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
}

export interface ModelReply {
  readonly text: string;
  readonly object?: unknown;
  readonly usage: { inputTokens: number; outputTokens: number; totalTokens: number };
}

/**
 * One prompt, one reply. Streamed, because a long reply would exceed the time that a server may take before it answers
 * at all. Not retried here: the node's own `retry` decides.
 */
export async function askModel(model: LanguageModel, request: ModelRequest): Promise<ModelReply> {
  const { prompt, system, schema, signal } = request;
  const output = schema === undefined ? Output.text() : Output.object({ schema: checkedSchema(schema) });
  let failure: unknown;
  const result = streamText({
    model,
    prompt,
    ...(system ? { instructions: system } : {}),
    output,
    maxRetries: 0,
    abortSignal: signal,
    onError: ({ error }) => void (failure ??= error),
  });
  try {
    await result.consumeStream({ onError: (error) => void (failure ??= error) });
    if (failure !== undefined) throw failure;
    const { inputTokens = 0, outputTokens = 0 } = await result.usage;
    const text = await result.text;
    const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
    return schema === undefined ? { text, usage } : { text, usage, object: await result.output };
  } catch (error) {
    throw modelFailure(error);
  }
}

/** Sent to the model as it is; here checked without `pattern`, because a native regular expression has no time limit. */
function checkedSchema(schema: Readonly<Record<string, unknown>>) {
  const withoutPatterns = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    (key === "pattern" && typeof value === "string") || key === "patternProperties" ? undefined : value,
  ) as Parameters<typeof z.fromJSONSchema>[0];
  const checker = readSchema(withoutPatterns);
  return jsonSchema(schema, {
    validate: (value) => {
      const result = checker.safeParse(value);
      return result.success ? { success: true, value: result.data } : { success: false, error: result.error };
    },
  });
}

function readSchema(schema: Parameters<typeof z.fromJSONSchema>[0]): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    throw new UpstreamError("ModelSchemaInvalid", "`schema` is not a JSON Schema that can be used.");
  }
}

const FAILURES = {
  ModelKeyRefused: "The model provider refused the key. Check the credential.",
  ModelNotFound:
    "The model provider knows no such model or address. Check `model` and the credential's baseUrl.",
  ModelRateLimited: "The model provider limits the rate or the quota is used up. Try again later.",
  ModelRequestRefused: "The model provider refused the request. Check the model's limits and options.",
  ModelUnavailable: "The model provider could not be reached or failed. Try again later.",
  ModelTimeout: "The model provider did not answer in time.",
  ModelAddressRefused:
    "The address of the model provider is not allowed, or not among the credential's allowedHosts.",
  ModelReplyInvalid: "The model's reply could not be read, or does not fit `schema`.",
};

const GUARD_FAILURES: Record<string, keyof typeof FAILURES> = {
  AddressRefused: "ModelAddressRefused",
  PortRefused: "ModelAddressRefused",
  UrlRefused: "ModelAddressRefused",
  CredentialRefused: "ModelAddressRefused",
  RedirectRefused: "ModelAddressRefused",
  ConnectTimeout: "ModelTimeout",
  HttpTimeout: "ModelTimeout",
  ResponseInvalid: "ModelReplyInvalid",
  ResponseTooLarge: "ModelReplyInvalid",
};

/** What went wrong, from a fixed list. The library's errors hold the address, the prompt and the answer. */
function modelFailure(error: unknown): UpstreamError {
  const name = classify(error);
  return new UpstreamError(name, FAILURES[name]);
}

function classify(error: unknown): keyof typeof FAILURES {
  const guarded = findUpstreamError(error);
  if (guarded !== undefined) return GUARD_FAILURES[guarded.name] ?? "ModelUnavailable";
  if (RetryError.isInstance(error)) return classify(error.lastError);
  if (APICallError.isInstance(error)) return classifyStatus(error.statusCode);
  return AISDKError.isInstance(error) ? "ModelReplyInvalid" : "ModelUnavailable";
}

function classifyStatus(status: number | undefined): keyof typeof FAILURES {
  if (status === undefined || status >= 500) return "ModelUnavailable";
  if (status < 300) return "ModelReplyInvalid";
  if (status === 401 || status === 403) return "ModelKeyRefused";
  if (status === 404) return "ModelNotFound";
  if (status === 408) return "ModelTimeout";
  return status === 429 ? "ModelRateLimited" : "ModelRequestRefused";
}
