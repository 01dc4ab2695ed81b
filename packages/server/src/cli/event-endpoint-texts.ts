import type { EventEndpoint } from "@millrace/client";
import type { EndpointRecord } from "../storage/events/endpoint-record.ts";

export interface Signing {
  readonly secret: string;
  readonly previousUntil?: Date | string | null;
}

export function time(moment: Date | string | null | undefined): Date | undefined {
  return moment == null ? undefined : new Date(moment);
}

export function text(moment: Date | string | null | undefined): string {
  return time(moment)?.toISOString() ?? "-";
}

export function stateOf(endpoint: EventEndpoint | EndpointRecord): string {
  const { enabled, disabledReason, lastSuccessAt } = endpoint;
  if (!enabled) return `disabled (${disabledReason ?? "operator"})`;
  if ("state" in endpoint) return endpoint.state;
  if (endpoint.failingSince) return "failing";
  return lastSuccessAt ? "healthy" : "new";
}
