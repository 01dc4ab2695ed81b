import type { FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Authenticator } from "../../operations/auth/authenticator.ts";
import type { RateLimits } from "./rate-limit.ts";

/** The principal of the request's key: at once where the key is warm, as a promise where it has to be looked up. */
export function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticator: Authenticator,
  limits: RateLimits,
): Principal | Promise<Principal> {
  const key = keyOf(request);
  const known = key === undefined ? undefined : authenticator.known(key);
  if (known) return known;
  if (known === undefined || key === undefined) throw refusal(request, reply, limits);
  return authenticator.lookUp(key).then((principal) => {
    if (principal) return principal;
    throw refusal(request, reply, limits);
  });
}

/** A caller without any key is not guessing one. */
function refusal(request: FastifyRequest, reply: FastifyReply, limits: RateLimits): Refusal {
  return hasKey(request) ? limits.refuseGuess(request, reply) : new Refusal("unauthorized");
}

function hasKey(request: FastifyRequest): boolean {
  return request.headers.authorization !== undefined || request.headers["x-api-key"] !== undefined;
}

/** One key in any of the three forms. Two that differ, or one that cannot be read, are no key. */
function keyOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  const header = request.headers["x-api-key"];
  const fromHeader = Array.isArray(header) ? header.join(",") : header;
  if (authorization === undefined) return fromHeader;
  const fromAuthorization = /^(?:Bearer|ApiKey) +(\S+)$/i.exec(authorization)?.[1];
  if (fromHeader !== undefined && fromHeader !== fromAuthorization) return undefined;
  return fromAuthorization;
}
