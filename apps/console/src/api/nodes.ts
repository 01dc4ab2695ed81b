import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { RunNode, TriggerSource } from "@millrace/client";
import { readPages } from "./read-pages.ts";
import { requestData } from "./request.ts";
import type { Page } from "./runs.ts";

/** A node of a run without its values. */
export interface NodeHead {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly status: RunNode["status"];
  readonly startedAt: string;
  readonly completedAt?: string;
  readonly attempts?: number;
  readonly handle?: string;
  readonly sizes?: { readonly input?: number; readonly output?: number; readonly record: number };
}

export interface NodeValues extends NodeHead {
  readonly input?: Record<string, unknown>;
  readonly output?: Record<string, unknown>;
  readonly error?: { readonly name: string; readonly message: string };
  readonly log?: readonly string[];
  readonly valuesHidden?: boolean;
}

export interface RunTrigger {
  readonly triggerSource: TriggerSource;
  readonly trigger?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
  readonly inputs?: Record<string, unknown>;
  readonly valuesHidden?: boolean;
}

interface NodePage extends Page<NodeHead> {
  readonly rounds?: number;
}

const MAX_TOP_PAGES = 30;

/** All nodes outside of containers. */
export function useTopNodes(runId: string) {
  return useQuery({
    queryKey: ["run", runId, "nodes"],
    queryFn: ({ signal }) => readTopNodes(runId, signal),
  });
}

export function readTopNodes(runId: string, signal?: AbortSignal): Promise<NodeHead[]> {
  return readPages(MAX_TOP_PAGES, (after) =>
    requestData<NodePage>(`/manage/runs/${runId}/nodes`, {
      query: { "page[size]": 100, "page[after]": after },
      signal,
    }),
  );
}

/** The rounds of a container, page by page; `only` picks one round, `failed` those that did not end well. */
export function useRounds(
  runId: string,
  container: string,
  options: { only?: number; failed?: boolean } = {},
) {
  return useInfiniteQuery({
    queryKey: ["run", runId, "rounds", container, options],
    queryFn: ({ pageParam, signal }) =>
      requestData<NodePage>(`/manage/runs/${runId}/nodes`, {
        query: {
          container,
          "page[size]": 100,
          "page[after]": pageParam,
          "filter[round]": options.only,
          "filter[status]": options.failed ? "FAILED,TIMED_OUT" : undefined,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.next,
    // Comparing thousands of rounds with themselves for each page takes longer than drawing those in sight.
    structuralSharing: false,
  });
}

const MAX_FAILED_PAGES = 5;

/** What failed in the rounds of a container, from the first on, at most 500 rounds. */
export function useFailedRounds(runId: string, container: string) {
  return useQuery({
    queryKey: ["run", runId, "rounds", container, "failed"],
    queryFn: ({ signal }) =>
      readPages(MAX_FAILED_PAGES, (after) =>
        requestData<NodePage>(`/manage/runs/${runId}/nodes`, {
          query: {
            container,
            "page[size]": 100,
            "page[after]": after,
            "filter[status]": "FAILED,TIMED_OUT",
          },
          signal,
        }),
      ),
  });
}

export function useNodeValues(runId: string, nodeKey: string, revision: string, enabled = true) {
  return useQuery({
    // Read again when the node has moved on.
    queryKey: ["run", runId, "values", nodeKey, revision],
    queryFn: ({ signal }) =>
      requestData<NodeValues>(`/manage/runs/${runId}/nodes/${encodeURIComponent(nodeKey)}`, { signal }),
    placeholderData: (before) => (before?.nodeKey === nodeKey ? before : undefined),
    gcTime: 30_000,
    enabled,
  });
}

export function useRunTrigger(runId: string, enabled: boolean) {
  return useQuery({
    queryKey: ["run", runId, "trigger"],
    queryFn: ({ signal }) => requestData<RunTrigger>(`/manage/runs/${runId}/trigger`, { signal }),
    enabled,
  });
}
