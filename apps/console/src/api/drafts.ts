import { useQuery } from "@tanstack/react-query";
import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { requestData } from "./request.ts";

interface DraftContent {
  readonly graph: FlowGraph;
  readonly settings: FlowSettings;
}

export interface Draft extends DraftContent {
  readonly flowId: string;
  readonly revision: number;
  /** There is a draft of its own; otherwise this is the version in force. */
  readonly saved: boolean;
  readonly version: string | null;
  /** Files bring the document of a flow that `apply` keeps. */
  readonly managedBy: "apply" | "console";
}

interface DraftCheck {
  readonly warnings: readonly string[];
  readonly problems: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

const pathOf = (flowId: string) => `/manage/flows/${encodeURIComponent(flowId)}/draft`;

export async function readDraft(flowId: string, signal?: AbortSignal): Promise<Draft> {
  return requestData<Draft>(pathOf(flowId), { ...(signal && { signal }) });
}

/** The draft as it is when its editor opens; from then on the editor knows better. */
export function useDraft(flowId: string) {
  return useQuery({
    queryKey: ["flow", flowId, "draft"],
    queryFn: ({ signal }) => readDraft(flowId, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
}

export async function saveDraft(
  flowId: string,
  content: DraftContent & { readonly revision: number },
): Promise<number> {
  const { revision } = await requestData<{ revision: number }>(pathOf(flowId), {
    method: "PUT",
    body: content,
  });
  return revision;
}

export async function checkDraft(
  flowId: string,
  content: DraftContent,
  signal: AbortSignal,
): Promise<DraftCheck> {
  return requestData<DraftCheck>(`${pathOf(flowId)}/validate`, { method: "POST", body: content, signal });
}
