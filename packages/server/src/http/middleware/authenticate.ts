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
  const keys = keysOf(request);
  if (keys.length === 0) throw new Refusal("unauthorized");
  // Two that differ are no key.
  const known = keys.length === 1 ? authenticator.known(keys[0]!) : undefined;
  if (known) return known;
  if (known === undefined) throw limits.refuseGuess(request, reply);
  return authenticator.lookUp(keys[0]!).then((principal) => {
    if (principal) return principal;
    throw limits.refuseGuess(request, reply);
  });
}

/** The different keys that a request names. An `Authorization` of another scheme is not for this service and names none. */
export function keysOf({ raw }: FastifyRequest): string[] {
  const keys = new Set<string>();
  // As they came: of two `Authorization` headers Node shows only the first.
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const key = keyIn(raw.rawHeaders[at]!, raw.rawHeaders[at + 1]!);
    if (key !== undefined && key !== "") keys.add(key);
  }
  return [...keys];
}

function keyIn(name: string, value: string): string | undefined {
  // The lengths tell most headers apart without a look at their letters.
  if (name.length === 9 && name.toLowerCase() === "x-api-key") return value;
  if (name.length !== 13 || name.toLowerCase() !== "authorization") return undefined;
  return /^(?:Bearer|ApiKey) +(.+)$/i.exec(value)?.[1];
}
