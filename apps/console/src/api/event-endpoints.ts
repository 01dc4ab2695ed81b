import { useQuery } from "@tanstack/react-query";
import { currentOrganization } from "../lib/session.ts";
import { useManagedList } from "./manage.ts";
import { requestData } from "./request.ts";

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly state: "new" | "healthy" | "failing" | "disabled";
  readonly delivered: number;
  readonly retrying: number;
  readonly lastFailure?: string;
  readonly lastFailureAt?: string;
}

export const ENDPOINTS = "/manage/event-endpoints";
const EVERY_MS = 10_000;

export function useEndpoints() {
  return useManagedList<Endpoint>(ENDPOINTS, {}, EVERY_MS);
}

/** Shown on request, and kept nowhere. */
export function useSigningSecret(id: string) {
  return useQuery({
    queryKey: ["signing-secret", id],
    queryFn: ({ signal }) =>
      requestData<{ secret: string }>(`${ENDPOINTS}/${encodeURIComponent(id)}/secret`, {
        query: { organizationId: currentOrganization() },
        signal,
      }),
    gcTime: 0,
    staleTime: 0,
  });
}
