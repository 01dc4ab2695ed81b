import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, jsonSchema, Output, RetryError, type LanguageModel } from "ai";
import { z } from "zod";
import type { GuardedHttp } from "./guarded-http.ts";
import { UpstreamError } from "./upstream-error.ts";

export interface ModelAccess {
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Hosts that may see the key. */
  readonly allowedHosts: readonly string[];
  /** The whole exchange with the provider, one step of it. */
  readonly totalMs?: number;
}

/** An OpenAI-compatible model behind the guard. The key is added by the guard, so no error of the library can hold it. */
export function openModel(http: GuardedHttp, access: ModelAccess): LanguageModel {
  const { organizationId, apiKey, allowedHosts, totalMs } = access;
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
      ...(totalMs === undefined ? {} : { totalMs }),
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

/** One prompt, one reply. Not retried here: the node's own `retry` decides. */
export async function askModel(model: LanguageModel, request: ModelRequest): Promise<ModelReply> {
  const { prompt, system, schema, signal } = request;
  const output = schema === undefined ? Output.text() : Output.object({ schema: checkedSchema(schema) });
  try {
    const result = await generateText({
      model,
      prompt,
      ...(system ? { instructions: system } : {}),
      output,
      maxRetries: 0,
      abortSignal: signal,
    });
    const { inputTokens = 0, outputTokens = 0 } = result.usage;
    const reply = {
      text: result.text,
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    };
    return schema === undefined ? reply : { ...reply, object: result.output };
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
  ModelAddressRefused: "The address of the model provider is not allowed.",
  ModelReplyInvalid: "The model's reply could not be read, or does not fit `schema`.",
};

/** What went wrong, from a fixed list. The library's errors hold the address, the prompt and the answer. */
export function modelFailure(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const name = classify(error);
  return new UpstreamError(name, FAILURES[name]);
}

function classify(error: unknown): keyof typeof FAILURES {
  if (RetryError.isInstance(error)) return classify(error.lastError);
  const names = causeNames(error);
  if (names.some((name) => /Address|Forbidden|Refused|NotAllowed|Scheme|Host/.test(name)))
    return "ModelAddressRefused";
  if (names.some((name) => /Timeout/.test(name))) return "ModelTimeout";
  if (!APICallError.isInstance(error))
    return names.some((name) => name.startsWith("AI_")) ? "ModelReplyInvalid" : "ModelUnavailable";
  const { statusCode } = error;
  if (statusCode === undefined || statusCode >= 500) return "ModelUnavailable";
  if (statusCode < 300) return "ModelReplyInvalid";
  if (statusCode === 401 || statusCode === 403) return "ModelKeyRefused";
  if (statusCode === 404) return "ModelNotFound";
  if (statusCode === 408) return "ModelTimeout";
  return statusCode === 429 ? "ModelRateLimited" : "ModelRequestRefused";
}

function causeNames(error: unknown): string[] {
  const names: string[] = [];
  for (let current = error; current instanceof Error && names.length < 8; current = current.cause)
    names.push(current.name);
  return names;
}
