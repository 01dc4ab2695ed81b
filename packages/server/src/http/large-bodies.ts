import type { FastifyReply, FastifyRequest } from "fastify";
import { FairShare } from "../domain/fair-share.ts";
import { Refusal } from "../domain/refusal.ts";
import type { CountedRequest } from "./pieces.ts";

/** Bodies up to this size are read and parsed at once, whoever sends them; a larger one takes a place for each as much. */
const smallBytes = 65_536;
/** Whatever it becomes takes less than a place. */
const slightBytes = 2_048;
const maxAtOnceBytes = 32 * 1_048_576;
/** Of one that does not say how long it is. */
const guessBytes = 1_048_576;

/**
 * Bodies are in memory several times, as bytes, as values and as a text for the database, until they are answered. Only
 * so much of large ones is taken at once, and callers share it: one that sends slowly and much leaves room for the others.
 */
export class LargeBodies {
  readonly #places = new FairShare(maxAtOnceBytes / smallBytes);

  /** @throws Refusal before anything of the body is read */
  take(request: FastifyRequest, reply: FastifyReply): void {
    const bytes = bytesOf(request);
    if (bytes > slightBytes) (request.raw as CountedRequest).answer = reply.raw;
    if (!isLargeBody(bytes)) return;
    const caller = callerOf(request);
    const places = Math.ceil(bytes / smallBytes);
    if (!this.#places.take(caller, places))
      throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
    reply.raw.once("close", () => this.#places.giveBack(caller, places));
  }
}

/** Whose turn it is when a large body is parsed. */
export function callerOf(request: FastifyRequest): string {
  return request.principal?.user.id ?? request.ip;
}

export function isLargeBody(bytes: number): boolean {
  return bytes > smallBytes;
}

/** A body without a length may be as long as the route allows, but most that come so are small. */
function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  if (headers["transfer-encoding"] !== undefined) return guessBytes;
  // What is longer is refused when that much of it was read.
  return Math.min(Number(headers["content-length"] ?? 0), routeOptions.bodyLimit ?? Infinity);
}
