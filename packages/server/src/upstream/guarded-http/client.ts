import type { AddressGuard } from "../address-guard.ts";
import { GuardedAgents } from "./agents.ts";
import { exchange, type TimeLimit } from "./exchange.ts";
import { guardedFetch } from "./fetch.ts";
import {
  type GuardedAnswer,
  GuardedHttpError,
  type GuardedHttp,
  type GuardedRequest,
  type GuardedResponse,
} from "./guarded-http.ts";

export interface GuardedHttpOptions {
  readonly guard: AddressGuard;
  readonly connectMs?: number;
  readonly headersMs?: number;
  /** Of one organization and credential; further requests wait for a free one. */
  readonly connectionsPerOrigin?: number;
}

const defaultConnectMs = 5_000;
const defaultHeadersMs = 30_000;
const defaultConnectionsPerOrigin = 16;
const defaultTotalMs = 60_000;
const maxTotalMs = 300_000;

export function createGuardedHttp(options: GuardedHttpOptions): GuardedHttp {
  const {
    guard,
    connectMs = defaultConnectMs,
    headersMs = defaultHeadersMs,
    connectionsPerOrigin = defaultConnectionsPerOrigin,
  } = options;
  const agents = new GuardedAgents(guard, { connectMs, headersMs, connectionsPerOrigin });

  async function open(request: GuardedRequest): Promise<GuardedAnswer> {
    const limit = timeLimit(request);
    try {
      return await exchange(request, guard, agents, limit);
    } catch (error) {
      limit.end();
      throw error;
    }
  }

  return {
    async request(request) {
      const { status, headers, body } = await open(request);
      return { status, headers, body: await collect(body) } satisfies GuardedResponse;
    },
    open,
    fetchFor: (fields) => guardedFetch(fields, open),
    close: () => agents.destroy(),
  };
}

function timeLimit(request: GuardedRequest): TimeLimit {
  const { signal } = request;
  const controller = new AbortController();
  const totalMs = Math.min(request.totalMs ?? defaultTotalMs, maxTotalMs);
  const timer = setTimeout(() => controller.abort(tooSlow(totalMs)), totalMs);
  const onAbort = () => controller.abort(canceled());
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  return { signal: controller.signal, end };
}

async function collect(body: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function tooSlow(totalMs: number): GuardedHttpError {
  return new GuardedHttpError(
    "HttpTimeout",
    `The whole request took longer than ${totalMs} ms and was ended.`,
  );
}

function canceled(): GuardedHttpError {
  return new GuardedHttpError("RequestCanceled", "The request was canceled.");
}
