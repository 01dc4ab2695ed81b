import type { FastifyRequest } from "fastify";
import type { Actor } from "../domain/actor.ts";

/** Who a request speaks for, and from where. Without key and session the link in its address was the right. */
export function actorOf({ principal, ip }: FastifyRequest): Actor {
  if (!principal) return { via: "link", address: ip };
  const { user, sessionId, clientId, keyId } = principal;
  if (sessionId !== undefined) return { userId: user.id, via: "session", viaId: sessionId, address: ip };
  if (clientId !== undefined)
    return { userId: user.id, via: "token", ...(clientId !== "" && { viaId: clientId }), address: ip };
  return { userId: user.id, via: "key", viaId: keyId, address: ip };
}
