import type { ManagedEndpoint } from "@millrace/contract/manage/event-endpoints";
import type { EndpointRecord } from "../../operations/events/managed-endpoints.ts";

export function presentEndpoint(endpoint: EndpointRecord): ManagedEndpoint {
  const { id, organizationId, url, events, enabled, disabledReason, delivered, retrying } = endpoint;
  const { oldestUntriedAt, lastSuccessAt, lastFailureAt, lastFailure, createdAt } = endpoint;
  return {
    id,
    organizationId,
    url,
    events: [...events],
    enabled,
    ...(disabledReason !== null && { disabledReason }),
    state: stateOf(endpoint),
    delivered,
    retrying,
    ...(oldestUntriedAt && { oldestUntriedAt: oldestUntriedAt.toISOString() }),
    ...(lastSuccessAt && { lastSuccessAt: lastSuccessAt.toISOString() }),
    ...(lastFailureAt && { lastFailureAt: lastFailureAt.toISOString() }),
    ...(lastFailure !== null && { lastFailure }),
    createdAt: createdAt.toISOString(),
  };
}

function stateOf({ enabled, failingSince, lastSuccessAt }: EndpointRecord): ManagedEndpoint["state"] {
  if (!enabled) return "disabled";
  if (failingSince) return "failing";
  return lastSuccessAt ? "healthy" : "new";
}
