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

const MINUTE_MS = 60_000;
const WEBHOOK_WINDOW_MS = 10_000;

/** The limits of the API: per user once the key is known, per address while it is being guessed. */
export class RateLimits {
  readonly #limiter: RateLimiter;
  readonly #settings: RateLimitSettings;
  readonly #callers: CallerRecord;

  constructor(limiter: RateLimiter, settings: RateLimitSettings) {
    this.#limiter = limiter;
    this.#callers = new CallerRecord(limiter);
    this.#settings = settings;
  }

  noteCaller(request: FastifyRequest): void {
    this.#callers.note(request);
  }

  takeForUser(principal: Principal, reply: FastifyReply): void {
    const limit = limitOf(principal, this.#settings.requestsPerMinute);
    if (limit === 0) return;
    const verdict = this.#limiter.take(`user:${principal.user.id}`, limit, MINUTE_MS);
    setHeaders(reply, verdict);
    if (!verdict.allowed) throw tooMany(verdict);
  }

  /**
   * How a key or token is refused that turned out to be wrong. Only wrong ones are counted, and only they are ever told to
   * slow down: behind a balancer all callers share one address, and a good key has to work whatever the others send.
   */
  refuseGuess(request: FastifyRequest, reply: FastifyReply): Refusal {
    const limit = this.#settings.badKeysPerMinute;
    if (limit === 0) return new Refusal("unauthorized");
    const verdict = this.#limiter.take(`bad-key:${clientNetwork(request.ip)}`, limit, MINUTE_MS);
    setHeaders(reply, verdict);
    return verdict.allowed ? new Refusal("unauthorized") : tooMany(verdict);
  }

  /** Before the body is read. */
  takeForWebhookCaller(request: FastifyRequest, reply: FastifyReply): void {
    this.#takeForWebhook(
      `webhook-ip:${clientNetwork(request.ip)}`,
      this.#settings.webhookRequestsPerIp,
      reply,
    );
  }

  takeForWebhook(organizationId: string, request: FastifyRequest, reply: FastifyReply): void {
    const key = `webhook:${organizationId}:${clientNetwork(request.ip)}`;
    this.#takeForWebhook(key, this.#settings.webhookRequestsPer10Seconds, reply);
  }

  #takeForWebhook(key: string, limit: number, reply: FastifyReply): void {
    if (limit === 0) return;
    const verdict = this.#limiter.take(key, limit, WEBHOOK_WINDOW_MS);
    setHeaders(reply, verdict);
    if (!verdict.allowed) throw tooMany(verdict);
  }
}

/** The organization's own limit where it has one; a user key goes by the most generous of its organizations. */
function limitOf(principal: Principal, fallback: number): number {
  let limit: number | undefined;
  for (const { requestsPerMinute } of principal.organizations.values()) {
    if (requestsPerMinute === 0) return 0;
    if (requestsPerMinute !== undefined) limit = Math.max(limit ?? 0, requestsPerMinute);
  }
  return limit ?? fallback;
}

function setHeaders(reply: FastifyReply, verdict: RateVerdict): void {
  void reply.headers({
    "x-ratelimit-limit": verdict.limit,
    "x-ratelimit-remaining": verdict.remaining,
    "x-ratelimit-reset": verdict.resetAtSeconds,
  });
}

function tooMany(verdict: RateVerdict): Refusal {
  return new Refusal("too_many_requests", { retryAfterSeconds: verdict.retryAfterSeconds });
}
