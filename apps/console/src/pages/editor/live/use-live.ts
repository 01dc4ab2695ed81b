import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { RunTrigger } from "@millrace/client";
import { requestData } from "../../../api/request.ts";
import { useEditorStore } from "../use-editor.ts";
import { liveOf, type LiveState } from "./live-store.ts";

/** A part of what the draft makes of the chosen run. */
export function useLive<Part>(selector: (state: LiveState) => Part): Part {
  return useStore(liveOf(useEditorStore()), selector);
}

/** What the chosen run was started with. */
export function useRunTrigger(runId: string | undefined) {
  return useQuery({
    queryKey: ["run", runId, "trigger"],
    queryFn: ({ signal }) =>
      requestData<RunTrigger>(`/manage/runs/${encodeURIComponent(runId!)}/trigger`, { signal }),
    enabled: runId !== undefined,
    staleTime: Infinity,
  });
}
