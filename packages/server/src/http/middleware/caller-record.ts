import type { FastifyRequest } from "fastify";
import { clientNetwork } from "../../domain/client-network.ts";
import { callerKey, UNHEEDED_KEY } from "../../domain/caller-keys.ts";
import type { RateLimiter } from "../../operations/auth/rate-limiter.ts";

const WINDOW_MS = 60_000;
/** One address, or more than one: nobody asks for a larger number. */
const MAX_ADDRESSES = 2;

/** For `doctor`: how many addresses callers come from, and whether a proxy that is not trusted names others. */
export class CallerRecord {
  readonly #limiter: RateLimiter;
  readonly #addresses = new Set<string>();
  #window = 0;

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  note(request: FastifyRequest): void {
    const { remoteAddress } = request.socket;
    const isForwarded = request.headers["x-forwarded-for"] !== undefined;
    const ip = isForwarded ? request.ip : (remoteAddress ?? "");
    if (isForwarded && ip === remoteAddress) this.#limiter.take(UNHEEDED_KEY, Infinity, WINDOW_MS);
    const window = Math.floor(performance.now() / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#addresses.clear();
    }
    if (this.#addresses.size >= MAX_ADDRESSES || this.#addresses.has(ip)) return;
    this.#addresses.add(ip);
    this.#limiter.take(callerKey(clientNetwork(ip)), Infinity, WINDOW_MS);
  }
}
