import type { FastifyRequest } from "fastify";
import { labelOf } from "../lifecycle/under-way.ts";

/** By what the watchdog names a request: never its address, which may hold a secret. */
export function requestLabel(request: FastifyRequest): string {
  const route = request.routeOptions.config.route?.name ?? "unknown";
  return labelOf({ kind: "route", route, requestId: request.id });
}
