import { useQuery } from "@tanstack/react-query";
import type { Run, RunDetail, RunPause } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import { requestData } from "./request.ts";
import type { Page } from "./runs.ts";

interface Approval {
  readonly run: RunDetail;
  readonly wait: RunPause;
}

/** How many runs are looked into, the newest first; of those that still execute only a few ask somebody meanwhile. */
const MAX_RUNS = { PAUSED: 100, EXECUTING: 20 };
const AT_ONCE = 8;

/** Questions that runs of the organization wait with, the oldest first. */
async function listApprovals(signal: AbortSignal): Promise<Approval[]> {
  const runs = (await Promise.all([list("PAUSED", signal), list("EXECUTING", signal)])).flat();
  const found: Approval[] = [];
  for (let index = 0; index < runs.length; index += AT_ONCE) {
    const details = await Promise.all(
      runs
        .slice(index, index + AT_ONCE)
        .map(({ id }) => requestData<RunDetail>(`/api/runs/${id}`, { signal })),
    );
    for (const run of details) {
      const waits = run.waits ?? (run.pause ? [run.pause] : []);
      found.push(...waits.filter(({ kind }) => kind === "approval").map((wait) => ({ run, wait })));
    }
  }
  // Ids begin with the time of creation.
  return found.toSorted((one, other) => (one.run.id < other.run.id ? -1 : 1));
}

async function list(status: keyof typeof MAX_RUNS, signal: AbortSignal): Promise<readonly Run[]> {
  const { data } = await requestData<Page<Run>>("/api/runs", {
    query: {
      organizationId: currentOrganization(),
      "filter[status]": status,
      "page[size]": MAX_RUNS[status],
    },
    signal,
  });
  return data;
}

export function useApprovals() {
  return useQuery({
    queryKey: ["approvals"],
    queryFn: ({ signal }) => listApprovals(signal),
    refetchInterval: 20_000,
  });
}
