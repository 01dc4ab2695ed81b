import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Flow } from "@millrace/client";
import type { FlowGraph } from "../graph/graph-model.ts";
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

/** By their ids. */
export function useFlowNames(): ReadonlyMap<string, string> {
  return new Map(useFlows().data?.map(({ id, name }) => [id, name]));
}

export function useFlow(flowId: string) {
  return useQuery({
    queryKey: ["flow", flowId],
    queryFn: ({ signal }) => requestData<Flow>(`/api/flows/${encodeURIComponent(flowId)}`, { signal }),
  });
}

/** Whether webhooks and schedules start it. */
export function useActivation(flowId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (active: boolean) =>
      requestData(`/manage/flows/${encodeURIComponent(flowId)}/${active ? "activate" : "deactivate"}`, {
        method: "POST",
      }),
    onSuccess: () =>
      Promise.all(
        [["flow", flowId], ["flows"], ["/manage/schedules"], ["run"]].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

interface FlowStructure {
  readonly flowId: string;
  readonly version: string;
  readonly active: boolean;
  readonly graph: FlowGraph;
}

/** How a version is connected; a version never changes, so it is read once. */
export function useFlowGraph(flowId: string, version?: string) {
  return useQuery({
    queryKey: ["flow", flowId, "graph", version ?? "active"],
    queryFn: ({ signal }) =>
      requestData<FlowStructure>(`/manage/flows/${encodeURIComponent(flowId)}/graph`, {
        query: { version },
        signal,
      }),
    staleTime: version === undefined ? 5_000 : Infinity,
  });
}

interface Figures {
  readonly failed: number;
  readonly errorRate: number | null;
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
}

export interface NodeFigures extends Figures {
  readonly nodeId: string;
  readonly type: string;
  readonly executions: number;
}

interface FlowStatistics {
  readonly runs: Figures & { readonly ended: number };
  readonly nodes: readonly NodeFigures[];
  readonly sampledRuns: number;
}

export function useFlowStatistics(flowId: string, period: string) {
  return useQuery({
    queryKey: ["flow", flowId, "statistics", period],
    queryFn: ({ signal }) =>
      requestData<FlowStatistics>(`/manage/flows/${encodeURIComponent(flowId)}/statistics`, {
        query: { "filter[createdAt][period]": period },
        signal,
      }),
    staleTime: 10_000,
  });
}
