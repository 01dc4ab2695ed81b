import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../domain/refusal.ts";
import { authenticate, type Doors, keysOf } from "./middleware/authenticate.ts";
import type { Route } from "./route.ts";

interface Parts extends Doors {
  readonly routes: readonly Route[];
}

/** An address or a method that does not exist. Who asks for it is counted all the same, and told how much is left. */
export async function refuseUnknownRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Parts,
): Promise<Refusal> {
  const path = request.url.split("?")[0]!;
  const here = parts.routes.filter((route) => pattern(route).test(path));
  try {
    await countCaller(request, reply, here[0], parts);
  } catch (error) {
    // A wrong key is no reason to say less about the address, unless too many were tried.
    if (!(error instanceof Refusal) || error.code !== "unauthorized") return error as Refusal;
  }
  if (here.length === 0) return new Refusal("route_not_found");
  const methods = here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return new Refusal("method_not_allowed", { allow: methods.join(", ") });
}

async function countCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route | undefined,
  parts: Parts,
): Promise<void> {
  const { limits } = parts;
  if (route?.countStray) {
    const params = pattern(route).exec(request.url.split("?")[0]!)?.groups ?? {};
    await route.countStray(request, reply, { params, limits });
  } else if (keysOf(request).length === 0) {
    limits.showGuesses(request, reply);
  } else {
    limits.takeForUser(await authenticate(request, reply, parts), reply);
  }
}

const patterns = new WeakMap<Route, RegExp>();

/** Made once: all of them take as long as ten requests. */
function pattern(route: Route): RegExp {
  const made = patterns.get(route) ?? makePattern(route);
  patterns.set(route, made);
  return made;
}

function makePattern({ path, wildcard }: Route): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, wildcard ? "(?<$1>.+)" : "(?<$1>[^/]+)")}$`);
}
