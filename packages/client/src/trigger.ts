import type { CallOptions } from "./transport.ts";
import type { TriggerRequest } from "./wire.ts";

/** How a flow is triggered, beside what it takes. */
export interface TriggerOptions extends CallOptions, Omit<TriggerRequest, "payload"> {
  /** Needed with a user key. */
  readonly organizationId?: string | undefined;
  /** Custom data, echoed in the run's payload. */
  readonly data?: Record<string, unknown> | undefined;
  /** Overrides of node inputs, by `{nodeId}_{inputName}`. */
  readonly inputs?: Record<string, unknown> | undefined;
}

/** The request of either form of `trigger`, with an idempotency key. */
export function triggerRequest(given: readonly unknown[]): {
  readonly body: TriggerRequest;
  readonly options: CallOptions;
} {
  if (typeof given[0] !== "string") {
    const [request, options = {}] = given as [TriggerRequest, CallOptions?];
    return { body: withKey(request), options };
  }
  const [flowId, input, rest = {}] = given as [string, unknown, TriggerOptions?];
  const { signal, timeoutMs, maxRetries, organizationId, data, inputs, ...request } = rest;
  const payload = {
    flowId,
    organizationId,
    data,
    inputs,
    ...(input !== undefined && { trigger: { body: input } }),
  };
  return { body: withKey({ ...request, payload }), options: { signal, timeoutMs, maxRetries } };
}

/** Not `randomUUID`, which pages without https do not have. */
export function idempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `client-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** How long one request waits for the end of a run: well within its own time limit. */
export function waitText(timeoutMs: number): string {
  return `${Math.max(1, Math.min(60, Math.floor(timeoutMs / 1_500)))}s`;
}

function withKey(request: TriggerRequest): TriggerRequest {
  return { ...request, idempotencyKey: request.idempotencyKey ?? idempotencyKey() };
}
