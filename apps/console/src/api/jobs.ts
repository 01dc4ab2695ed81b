import { useQuery } from "@tanstack/react-query";
import { currentOrganization } from "../lib/session.ts";
import type { RunsSearch } from "../search.ts";
import { requestData } from "./request.ts";
import type { Page } from "./runs.ts";

export interface Job {
  readonly id: string;
  readonly action: "cancel" | "retry" | "fork";
  readonly status: "running" | "stopped" | "completed";
  readonly total: number;
  readonly pending: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  readonly reason?: string;
}

/** Does the same to every run that the filters show; the service goes on with it when the page is left. */
export async function startJob(action: "cancel" | "retry", search: RunsSearch): Promise<Job> {
  const { status, flow, tag, version, trigger, from, to, period, kind } = search;
  return requestData<Job>("/manage/jobs", {
    method: "POST",
    body: {
      organizationId: currentOrganization(),
      action,
      filter: {
        ...(flow && { flowId: flow }),
        ...(status && { status }),
        ...(tag && { tag: tag.split(",") }),
        ...(version && { version: version.split(",") }),
        ...(trigger && { triggerSource: [trigger] }),
        ...((from || to || period) && {
          createdAt: { ...(from && { from }), ...(to && { to }), ...(!from && !to && { period }) },
        }),
        ...(kind && { isTest: kind === "test" }),
      },
    },
  });
}

export function useJob(jobId: string | undefined) {
  return useQuery({
    queryKey: ["job", jobId],
    queryFn: ({ signal }) => requestData<Job>(`/manage/jobs/${jobId}`, { signal }),
    enabled: jobId !== undefined,
    refetchInterval: ({ state }) => (state.data && state.data.status !== "running" ? false : 700),
  });
}

/** What was begun before, here or elsewhere, and has not ended. */
export function useRunningJob(enabled: boolean) {
  return useQuery({
    queryKey: ["job", "running"],
    queryFn: async ({ signal }) => {
      const query = { organizationId: currentOrganization(), "page[size]": 10 };
      const jobs = await requestData<Page<Job>>("/manage/jobs", { query, signal });
      return jobs.data.find(({ status }) => status === "running") ?? null;
    },
    enabled,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data ? 2_000 : false),
  });
}

interface JobRun {
  readonly runId: string;
  readonly message?: string;
}

/** Those of its runs that were refused, with the reason; the first page of them. */
export function useRefusedRuns(jobId: string, enabled: boolean) {
  return useQuery({
    queryKey: ["job", jobId, "refused"],
    queryFn: ({ signal }) =>
      requestData<{ data: readonly JobRun[] }>(`/manage/jobs/${jobId}/runs`, {
        query: { state: "failed" },
        signal,
      }),
    enabled,
  });
}

export async function stopJob(jobId: string): Promise<Job> {
  return requestData<Job>(`/manage/jobs/${jobId}/stop`, { method: "POST" });
}
