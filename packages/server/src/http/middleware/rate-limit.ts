import type { ErrorCode } from "@millrace/contract/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientNetwork } from "../../domain/client-network.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RateLimiter, RateVerdict } from "../../operations/auth/rate-limiter.ts";
import { CallerRecord } from "./caller-record.ts";

export interface RateLimitSettings {
  readonly requestsPerMinute: number;
  readonly badKeysPerMinute: number;
  readonly webhookRequestsPer10Seconds: number;
  readonly webhookRequestsPerIp: number;
}

interface Allowance {
  readonly key: string;
  readonly limit: number;
}

const MINUTE_MS = 60_000;
const WEBHOOK_WINDOW_MS = 10_000;
/** What the headers say where a limit is switched off: they are on every answer, and clients reckon with them. */
const UNLIMITED = 2_147_483_647;

/** The limits of the API: per user once the key is known, per address while it is being guessed. */
export class RateLimits {
  readonly #limiter: RateLimiter;
  readonly #settings: RateLimitSettings;
  readonly #callers: CallerRecord;
  /** A principal is kept for a few seconds and asked for with every request. */
  readonly #allowances = new WeakMap<Principal, Allowance>();

  constructor(limiter: RateLimiter, settings: RateLimitSettings) {
    this.#limiter = limiter;
    this.#callers = new CallerRecord(limiter);
    this.#settings = settings;
  }

  noteCaller(request: FastifyRequest): void {
    this.#callers.note(request);
  }

  takeForUser(principal: Principal, reply: FastifyReply): void {
    let allowance = this.#allowances.get(principal);
    if (!allowance) {
      const limit = limitOf(principal, this.#settings.requestsPerMinute);
      allowance = { key: `user:${principal.user.id}`, limit };
      this.#allowances.set(principal, allowance);
    }
    this.#take(allowance.key, allowance.limit, MINUTE_MS, reply);
  }

  /**
   * How a key or token is refused that turned out to be wrong. Only wrong ones are counted, and only they are ever told to
   * slow down: behind a balancer all callers share one address, and a good key has to work whatever the others send.
   */
  refuseGuess(request: FastifyRequest, reply: FastifyReply, code: ErrorCode = "unauthorized"): Refusal {
    try {
      this.#take(guessKey(request), this.#settings.badKeysPerMinute, MINUTE_MS, reply);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
    return new Refusal(code);
  }

  /** For whoever has shown neither key nor token: what is left of the guesses. */
  showGuesses(request: FastifyRequest, reply: FastifyReply): void {
    this.#show(guessKey(request), this.#settings.badKeysPerMinute, MINUTE_MS, reply);
  }

  /** Before the body is read. The headers already speak of the webhook's own limit, whatever the post is refused for. */
  takeForWebhookCaller(organizationId: string, request: FastifyRequest, reply: FastifyReply): void {
    const key = `webhook-ip:${clientNetwork(request.ip)}`;
    this.#take(key, this.#settings.webhookRequestsPerIp, WEBHOOK_WINDOW_MS, reply);
    this.showForWebhook(organizationId, request, reply);
  }

  takeForWebhook(organizationId: string, request: FastifyRequest, reply: FastifyReply): void {
    const limit = this.#settings.webhookRequestsPer10Seconds;
    this.#take(webhookKey(organizationId, request), limit, WEBHOOK_WINDOW_MS, reply);
  }

  showForWebhook(organizationId: string, request: FastifyRequest, reply: FastifyReply): void {
    const limit = this.#settings.webhookRequestsPer10Seconds;
    this.#show(webhookKey(organizationId, request), limit, WEBHOOK_WINDOW_MS, reply);
  }

  #take(key: string, limit: number, windowMs: number, reply: FastifyReply): void {
    if (limit === 0) {
      this.#show(key, limit, windowMs, reply);
      return;
    }
    const verdict = this.#limiter.take(key, limit, windowMs);
    setHeaders(reply, verdict);
    if (!verdict.allowed)
      throw new Refusal("too_many_requests", { retryAfterSeconds: verdict.retryAfterSeconds });
  }

  #show(key: string, limit: number, windowMs: number, reply: FastifyReply): void {
    setHeaders(reply, this.#limiter.peek(key, limit === 0 ? UNLIMITED : limit, windowMs));
  }
}

function guessKey({ ip }: FastifyRequest): string {
  return `bad-key:${clientNetwork(ip)}`;
}

function webhookKey(organizationId: string, { ip }: FastifyRequest): string {
  return `webhook:${organizationId}:${clientNetwork(ip)}`;
}

/** The organization's own limit, or the default; a user key goes by the most generous of its organizations. */
function limitOf(principal: Principal, fallback: number): number {
  const limits = [...principal.organizations.values()].map(
    ({ requestsPerMinute }) => requestsPerMinute ?? fallback,
  );
  if (limits.length === 0) return fallback;
  return limits.includes(0) ? 0 : Math.max(...limits);
}

function setHeaders(reply: FastifyReply, verdict: RateVerdict): void {
  void reply.headers({
    "x-ratelimit-limit": verdict.limit,
    "x-ratelimit-remaining": verdict.remaining,
    "x-ratelimit-reset": verdict.resetAtSeconds,
  });
}
