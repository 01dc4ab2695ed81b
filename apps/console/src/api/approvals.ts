import { useQuery } from "@tanstack/react-query";
import type { Run, RunDetail, RunPause } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import { requestData } from "./request.ts";
import type { Page } from "./runs.ts";

export interface Approval {
  readonly run: RunDetail;
  readonly wait: RunPause;
}

const MAX_RUNS = 100;
const AT_ONCE = 8;

/** Every question that an executing or paused run of the organization waits with, the oldest first. */
async function listApprovals(signal: AbortSignal): Promise<Approval[]> {
  const { data } = await requestData<Page<Run>>("/api/runs", {
    query: {
      organizationId: currentOrganization(),
      "filter[status]": "PAUSED,EXECUTING",
      "page[size]": MAX_RUNS,
    },
    signal,
  });
  const found: Approval[] = [];
  for (let index = 0; index < data.length; index += AT_ONCE) {
    const details = await Promise.all(
      data
        .slice(index, index + AT_ONCE)
        .map(({ id }) => requestData<RunDetail>(`/api/runs/${id}`, { signal })),
    );
    for (const run of details) {
      const waits = run.waits ?? (run.pause ? [run.pause] : []);
      found.push(...waits.filter(({ kind }) => kind === "approval").map((wait) => ({ run, wait })));
    }
  }
  return found.reverse();
}

export function useApprovals() {
  return useQuery({
    queryKey: ["approvals"],
    queryFn: ({ signal }) => listApprovals(signal),
    refetchInterval: 10_000,
  });
}
