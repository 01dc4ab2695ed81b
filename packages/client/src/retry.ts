import type { MillraceError } from "./error.ts";

/**
 * `always`: the same request twice does what it does once. `unless-sent`: only where it is certain that the service has
 * not taken it, as with a chat message.
 */
export type Repeat = "always" | "unless-sent";

export const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
/** Whoever is told to come back later than this decides alone. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Faults that come before the first byte of a request is sent. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function mayRepeat(error: MillraceError, repeat: Repeat): boolean {
  const { status, code, retryAfterSeconds = 0 } = error;
  if (retryAfterSeconds > MAX_RETRY_AFTER_SECONDS) return false;
  if (repeat === "unless-sent") return code === "too_many_requests" || wasNeverSent(error);
  return status === 0 ? code !== "unexpected_answer" : status === 408 || status === 429 || status >= 500;
}

/** Before the attempt with this number, from 0. */
export function pauseMs(attempt: number, error?: MillraceError): number {
  if (error?.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.75 + Math.random() / 4);
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function wasNeverSent({ code, cause }: MillraceError): boolean {
  if (code !== "connection_failed") return false;
  const { cause: inner, code: outer } = (cause ?? {}) as { cause?: { code?: unknown }; code?: unknown };
  return NEVER_SENT.has(String(inner?.code ?? outer));
}
