import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { DraftTested, FlowGraph, FlowTest, SavedTest, StoredTest } from "@millrace/client";
import { requestData } from "./request.ts";
import type { Page } from "./runs.ts";

const pathOf = (flowId: string, ...rest: string[]) =>
  ["/manage/flows", ...[flowId, ...rest].map(encodeURIComponent)].join("/");

/** The tests that are stored with a flow. */
export function useStoredTests(flowId: string) {
  return useQuery({
    queryKey: ["flow", flowId, "tests"],
    queryFn: async ({ signal }) =>
      (await requestData<Page<StoredTest>>(pathOf(flowId, "tests"), { signal })).data,
  });
}

export function useRemoveTest(flowId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (testId: string) => requestData(pathOf(flowId, "tests", testId), { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["flow", flowId, "tests"] }),
  });
}

export function useStoreTest() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ document }: Pick<SavedTest, "document">) =>
      requestData<StoredTest>(pathOf(document.flowId, "tests", document.id), {
        method: "PUT",
        body: { document },
      }),
    onSuccess: ({ flowId }) => queries.invalidateQueries({ queryKey: ["flow", flowId, "tests"] }),
  });
}

/** Runs what is stored, or other tests in its place, on the draft, or on a graph in its place. */
export async function testDraft(
  flowId: string,
  graph: FlowGraph | undefined,
  signal?: AbortSignal,
  tests?: readonly FlowTest[],
): Promise<DraftTested> {
  return requestData<DraftTested>(pathOf(flowId, "draft", "test"), {
    method: "POST",
    body: { ...(graph && { graph }), ...(tests && { tests }) },
    ...(signal && { signal }),
  });
}

/** A test of what a run did, with the values that may be kept; nothing is stored. */
export function useSavedTest(runId: string, wanted: { keep: readonly string[]; name: string }) {
  return useQuery({
    queryKey: ["run", runId, "test", wanted],
    queryFn: ({ signal }) =>
      requestData<SavedTest>(`/manage/runs/${encodeURIComponent(runId)}/test`, {
        method: "POST",
        body: { keep: wanted.keep, ...(wanted.name.trim() !== "" && { name: wanted.name.trim() }) },
        signal,
      }),
    placeholderData: (before) => before,
    retry: false,
  });
}
