import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { RunStatus } from "@millrace/client";
import { requestData } from "./request.ts";

export interface Why {
  readonly waiting: boolean;
  readonly cause: string;
  readonly reason: string;
  readonly since: string;
  readonly until?: string;
  readonly untilIsEstimate?: boolean;
  readonly position?: number;
  readonly heldBy?: readonly { runId: string; flowId: string; status: RunStatus; since: string }[];
  readonly error?: { readonly name: string; readonly message: string; readonly nodeKey: string };
  readonly needs?: { readonly kind: string; readonly nodeKey?: string; readonly message?: string };
  readonly actions: readonly { readonly action: string; readonly command: string }[];
}

/** Why a run does not go on right now, in one sentence. */
export function useWhy(runId: string, enabled: boolean, { keepsLast = false } = {}) {
  return useQuery({
    queryKey: ["run", runId, "why"],
    queryFn: ({ signal }) => requestData<Why>(`/api/runs/${runId}/why`, { signal }),
    enabled,
    refetchInterval: 5_000,
    // Where the run changes and the reason hardly does.
    placeholderData: keepsLast ? keepPreviousData : undefined,
  });
}

export interface ForkRequest {
  readonly from?: string;
  readonly version?: string;
  readonly data?: unknown;
  readonly inputs?: unknown;
  readonly trigger?: unknown;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

type Forked = ({ readonly id: string } | { readonly status: "queued"; readonly queueId: string }) & {
  readonly warnings?: readonly string[];
};

export async function forkRun(
  runId: string,
  body: ForkRequest,
): Promise<{ runId: string; warnings: readonly string[] }> {
  const forked = await requestData<Forked>(`/api/runs/${runId}/fork`, { method: "POST", body });
  return {
    runId: "id" in forked ? forked.id : forked.queueId.replace(/^queue_/, "run_"),
    warnings: forked.warnings ?? [],
  };
}

export interface Share {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
}

export async function shareRun(runId: string, body: { reveal: string[]; expiresIn: string }): Promise<Share> {
  return requestData<Share>(`/manage/runs/${runId}/share`, { method: "POST", body });
}

export async function endShare(runId: string, shareId: string): Promise<void> {
  await requestData(`/manage/runs/${runId}/share/${shareId}`, { method: "DELETE" });
}
