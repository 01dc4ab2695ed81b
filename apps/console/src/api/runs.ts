import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { terminalStatuses } from "@millrace/contract/run-status";
import type { Run, RunDetail, RunStatus } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import type { RunsSearch } from "../search.ts";
import { request, requestData } from "./request.ts";

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly next?: string; readonly prev?: string };
}

const PAGE_SIZE = 100;

function runsQuery(search: RunsSearch) {
  return {
    organizationId: currentOrganization(),
    "filter[status]": search.status?.join(","),
    "filter[flowId]": search.flow,
    "filter[tag]": search.tag,
    "filter[createdAt][period]": search.from || search.to ? undefined : search.period,
    "filter[createdAt][from]": search.from,
    "filter[createdAt][to]": search.to,
    "filter[version]": search.version,
    "filter[triggerSource]": search.trigger,
    "filter[isTest]": search.kind && search.kind === "test",
  };
}

export function useRuns(search: RunsSearch) {
  return useInfiniteQuery({
    queryKey: ["runs", search],
    queryFn: ({ pageParam, signal }) =>
      requestData<Page<Run>>("/api/runs", {
        query: { ...runsQuery(search), "page[size]": PAGE_SIZE, "page[after]": pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.next,
    // Comparing all rows that were read with themselves takes longer, the further somebody has scrolled.
    structuralSharing: false,
    // Rows move only when their reader asks for it.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 60_000,
  });
}

/** The newest runs that a list with these filters would show, and those that it would have shown in another status. */
export async function readNewestRuns(search: RunsSearch, signal: AbortSignal): Promise<readonly Run[]> {
  const { status: _any, ...others } = search;
  const query = { ...runsQuery(others), "page[size]": PAGE_SIZE };
  return (await requestData<Page<Run>>("/api/runs", { query, signal })).data;
}

const ONE_MS = 1;

/**
 * Some runs as they are now: those that were made between the first and the last of them by one request, and what is not
 * among these, because too many others were made then, one by one.
 */
export async function readAgain(runs: readonly Run[], onRead: (run: Run) => void): Promise<void> {
  const left = new Set(runs.map(({ id }) => id));
  const read = async (from: string, to: string, flow?: string) => {
    const end = new Date(Date.parse(to) + ONE_MS).toISOString();
    const query = { ...runsQuery({ from, to: end, ...(flow && { flow }) }), "page[size]": PAGE_SIZE };
    const { data } = await requestData<Page<Run>>("/api/runs", { query });
    for (const run of data) if (left.delete(run.id)) onRead(run);
  };
  const times = runs.map(({ createdAt }) => createdAt).toSorted();
  await read(times[0]!, times.at(-1)!);
  for (const { id, createdAt, payload } of runs)
    if (left.has(id)) await read(createdAt, createdAt, payload.flowId);
}

interface RunCounts {
  readonly from: string;
  readonly to: string;
  readonly complete: boolean;
  readonly minutes: readonly {
    readonly minute: string;
    readonly counts: Partial<Record<RunStatus, number>>;
  }[];
}

/** How many runs were made in each minute, by what became of them. */
export function useRunCounts(flow: string | undefined, period: string) {
  return useQuery({
    queryKey: ["counts", flow, period],
    queryFn: ({ signal }) =>
      requestData<RunCounts>("/manage/runs/counts", {
        query: {
          organizationId: currentOrganization(),
          "filter[flowId]": flow,
          "filter[createdAt][period]": period,
        },
        signal,
      }),
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
}

const LIVE_MS = 1_000;

export function isTerminal(status: RunStatus): boolean {
  return (terminalStatuses as readonly string[]).includes(status);
}

export function useRun(runId: string) {
  return useQuery({
    queryKey: ["run", runId],
    queryFn: ({ signal }) => readRun(runId, signal),
    refetchInterval: ({ state }) => (state.data && isTerminal(state.data.status) ? false : LIVE_MS * 5),
  });
}

export function readRun(runId: string, signal?: AbortSignal): Promise<RunDetail> {
  return requestData<RunDetail>(`/api/runs/${runId}`, { signal });
}

export async function cancelRun(runId: string): Promise<void> {
  await request(`/api/runs/${runId}/cancel`, { method: "POST", query: { paused: true } });
}

export async function resumeRun(
  runId: string,
  answer: { nodeId: string; decision: "approved" | "rejected"; data?: Record<string, unknown> },
): Promise<void> {
  await request(`/api/runs/${runId}/resume`, { method: "POST", body: answer });
}
