import { parseRetryAfterMs } from "../domain/events/retry-schedule.ts";
import type { AddressGuard } from "./address-guard.ts";
import { createGuardedHttp } from "./guarded-http/client.ts";
import { GuardedHttpError } from "./guarded-http/guarded-http.ts";
import { UpstreamError } from "./upstream-error.ts";

interface EventRequest {
  readonly organizationId: string;
  readonly url: string;
  /** Id, timestamp and signatures. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
}

export interface SendResult {
  readonly delivered: boolean;
  /** Missing where there was no answer. */
  readonly status?: number;
  /** What went wrong, in one line; names the host at most. */
  readonly failure?: string;
  readonly retryAfterMs?: number;
  readonly durationMs: number;
  /** The beginning of the answer. */
  readonly answer: string;
}

export interface EventSender {
  send(request: EventRequest): Promise<SendResult>;
  close(): Promise<void>;
}

export interface EventSenderOptions {
  readonly guard: AddressGuard;
  readonly connectMs?: number;
  readonly totalMs?: number;
}

const CONNECT_MS = 5_000;
const TOTAL_MS = 15_000;
// The status is the answer. The rest is only shown to people, and not worth a slot that others could use.
const ANSWER_MS = 250;
const MAX_ANSWER_BYTES = 64 * 1024;
const KEPT_ANSWER_CHARACTERS = 1_024;

/** Posts events to receivers nobody vouches for: never a redirect, never an address that is not allowed, never more than was asked. */
export function createEventSender({
  guard,
  connectMs = CONNECT_MS,
  totalMs = TOTAL_MS,
}: EventSenderOptions): EventSender {
  const http = createGuardedHttp({ guard, connectMs, headersMs: totalMs });

  async function post({ organizationId, url, headers, body, signal }: EventRequest): Promise<Response> {
    await requireSafeTransport(guard, url, organizationId);
    const send = http.fetchFor({ organizationId, totalMs, maxBytes: MAX_ANSWER_BYTES });
    return send(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      redirect: "manual",
      signal,
    });
  }

  return {
    async send(request) {
      const startedAtMs = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAtMs);
      try {
        const response = await post(request);
        const answer = await readBeginning(response);
        const { status, ok: delivered } = response;
        const retryAfterMs = parseRetryAfterMs(response.headers.get("retry-after") ?? undefined, Date.now());
        return {
          delivered,
          status,
          ...(!delivered && { failure: `HTTP ${status}` }),
          ...(retryAfterMs !== undefined && { retryAfterMs }),
          durationMs: durationMs(),
          answer,
        };
      } catch (error) {
        return { delivered: false, failure: failureText(error), durationMs: durationMs(), answer: "" };
      }
    },
    close: () => http.close(),
  };
}

/** Without TLS only to addresses the operator has opened. */
async function requireSafeTransport(
  guard: AddressGuard,
  address: string,
  organizationId: string,
): Promise<void> {
  const url = URL.parse(address);
  if (url?.protocol !== "http:") return;
  if ((await guard.resolve(url.hostname, organizationId)).allowListed) return;
  throw new GuardedHttpError(
    "UrlRefused",
    "Events are sent over https; http is possible only to addresses in MILLRACE_EGRESS_ALLOW.",
  );
}

async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const chunks: Uint8Array[] = [];
  const giveUp = setTimeout(() => void reader.cancel().catch(() => {}), ANSWER_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
  } catch {
    // Too long or broken off.
  } finally {
    clearTimeout(giveUp);
  }
  return Buffer.concat(chunks).toString("utf8").slice(0, KEPT_ANSWER_CHARACTERS);
}

function failureText(error: unknown): string {
  return error instanceof UpstreamError
    ? `${error.name}: ${error.message}`
    : "SendFailed: the event could not be sent.";
}
