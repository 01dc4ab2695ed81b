import { useQuery } from "@tanstack/react-query";
import type { Flow } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import { request, requestData } from "./request.ts";

const MAX_PAGES = 50;

async function listFlows(signal: AbortSignal): Promise<Flow[]> {
  const flows: Flow[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, pagination } = await request<{ data: Flow[]; pagination?: { next?: string } }>(
      "/api/flows",
      {
        query: { organizationId: currentOrganization(), "page[size]": 100, "page[after]": after },
        signal,
      },
    );
    flows.push(...data);
    after = pagination?.next;
    if (!after) break;
  }
  return flows;
}

export function useFlows() {
  return useQuery({ queryKey: ["flows"], queryFn: ({ signal }) => listFlows(signal), staleTime: 30_000 });
}

export function useFlow(flowId: string) {
  return useQuery({
    queryKey: ["flow", flowId],
    queryFn: ({ signal }) => requestData<Flow>(`/api/flows/${encodeURIComponent(flowId)}`, { signal }),
  });
}
