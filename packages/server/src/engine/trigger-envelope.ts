import type { TriggerEnvelope } from "./nodes/node-type.ts";

/** What the trigger brought, with nothing missing; the start node lays it over its defaults. */
export function toTriggerEnvelope(trigger: Readonly<Record<string, unknown>> | undefined): TriggerEnvelope {
  return {
    body: trigger?.["body"],
    headers: objectOr(trigger?.["headers"]),
    query: objectOr(trigger?.["query"]),
    method: typeof trigger?.["method"] === "string" ? trigger["method"] : undefined,
  };
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
