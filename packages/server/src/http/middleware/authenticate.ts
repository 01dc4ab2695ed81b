import type { FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isMeantAsApiKey } from "../../domain/api-key.ts";
import type { AccessTokens } from "../../operations/auth/access-tokens.ts";
import type { Authenticator } from "../../operations/auth/authenticator.ts";
import type { Site } from "../site.ts";
import type { RateLimits } from "./rate-limit.ts";

export interface Doors {
  readonly authenticator: Authenticator;
  readonly sessions: Authenticator;
  /** Where an OpenID Connect provider is configured, for the routes that take its tokens. */
  readonly accessTokens?: AccessTokens | undefined;
  readonly site: Site;
  readonly limits: RateLimits;
}

/**
 * The principal of the request's key or access token or, where there is no header for one, of its session: at once where it
 * is warm, as a promise where it has to be looked up.
 */
export function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticator, sessions, accessTokens, site, limits }: Doors,
): Principal | Promise<Principal> {
  const keys = keysOf(request);
  const isKey = keys.length > 0;
  if (!isKey && hasKeyHeader(request)) throw new Refusal("unauthorized");
  const secret = isKey ? keys[0] : site.sessionToken(request);
  if (secret === undefined) throw new Refusal("unauthorized");
  const isToken = accessTokens !== undefined && isKey && takesToken(request) && !isMeantAsApiKey(secret);
  const door = isToken ? accessTokens : isKey ? authenticator : sessions;
  // Two that differ are no key.
  const known = keys.length > 1 ? undefined : door.known(secret);
  if (known) return known;
  if (known === undefined) throw limits.refuseGuess(request, reply);
  return door.lookUp(secret).then(
    (principal) => {
      if (principal) return principal;
      throw limits.refuseGuess(request, reply);
    },
    (error: unknown) => {
      // Whom the provider knows and we do not is a guess like any other.
      const isStranger = error instanceof Refusal && error.code === "not_a_member";
      throw isStranger ? limits.refuseGuess(request, reply, error.code) : error;
    },
  );
}

function takesToken({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.route?.takesAccessTokens === true;
}

/** The different keys that a request names. An `Authorization` of another scheme is not for this service and names none. */
export function keysOf({ raw }: FastifyRequest): string[] {
  const keys: string[] = [];
  // As they came: of two `Authorization` headers Node shows only the first.
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const key = keyIn(raw.rawHeaders[at]!, raw.rawHeaders[at + 1]!);
    if (key !== undefined && key !== "" && !keys.includes(key)) keys.push(key);
  }
  return keys;
}

/** Also an empty one: whoever sends the header means to be known by it and by nothing else. */
function hasKeyHeader({ headers: { authorization, "x-api-key": key } }: FastifyRequest): boolean {
  return key !== undefined || /^(?:Bearer|ApiKey)\b/i.test(authorization ?? "");
}

function keyIn(name: string, value: string): string | undefined {
  // The lengths tell most headers apart without a look at their letters.
  if (name.length === 9 && name.toLowerCase() === "x-api-key") return value;
  if (name.length !== 13 || name.toLowerCase() !== "authorization") return undefined;
  return /^(?:Bearer|ApiKey) +(.+)$/i.exec(value)?.[1];
}
