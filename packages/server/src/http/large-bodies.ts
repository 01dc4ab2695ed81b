import type { FastifyReply, FastifyRequest } from "fastify";
import { FairShare } from "../domain/fair-share.ts";
import { Refusal } from "../domain/refusal.ts";

/** Bodies up to this size are read and parsed at once, whoever sends them. */
const smallBytes = 65_536;
const maxAtOnce = 48;

/**
 * Bodies are in memory twice, as bytes and as values, until they are answered. Only so many large ones are taken at once,
 * and callers share them: one that sends slowly and much leaves room for the others.
 */
export class LargeBodies {
  readonly #places = new FairShare(maxAtOnce);

  /** @throws Refusal before anything of the body is read */
  take(request: FastifyRequest, reply: FastifyReply): void {
    if (!isLarge(request)) return;
    const caller = callerOf(request);
    if (!this.#places.take(caller)) throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
    reply.raw.once("close", () => this.#places.giveBack(caller));
  }
}

/** Whose turn it is when a large body is parsed. */
export function callerOf(request: FastifyRequest): string {
  return request.principal?.user.id ?? request.ip;
}

export function isLargeBody(bytes: number): boolean {
  return bytes > smallBytes;
}

/** A body without a length may be as long as the route allows. */
function isLarge({ headers }: FastifyRequest): boolean {
  if (headers["transfer-encoding"] !== undefined) return true;
  return isLargeBody(Number(headers["content-length"] ?? 0));
}
