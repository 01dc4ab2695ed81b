import type { FastifyRequest } from "fastify";
import type { Actor } from "../domain/actor.ts";

/** Who a request speaks for, and from where. Without a key the link in its address was the right. */
export function actorOf({ principal, ip }: FastifyRequest): Actor {
  if (!principal) return { via: "link", address: ip };
  return { userId: principal.user.id, via: "key", viaId: principal.keyId, address: ip };
}
