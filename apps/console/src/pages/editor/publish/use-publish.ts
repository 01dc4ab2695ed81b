import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FlowDraft, PublishedVersion } from "@millrace/client";
import { requestData } from "../../../api/request.ts";
import type { Flow } from "../flow.ts";
import { useEditorStore } from "../use-editor.ts";

/** Puts the saved draft in force, unless somebody else has changed the flow meanwhile. */
export function usePublish(onPublished: (version: string) => void) {
  const editor = useEditorStore();
  const queries = useQueryClient();
  const { flowId } = editor.getState();
  const path = `/manage/flows/${encodeURIComponent(flowId)}`;
  const readDraft = () => requestData<FlowDraft>(`${path}/draft`);
  const publish = useMutation({
    mutationFn: async (note: string) => {
      await editor.getState().save();
      const { revision } = editor.getState();
      const body = { revision, ...(note.trim() !== "" && { note: note.trim() }) };
      const published = await requestData<PublishedVersion>(`${path}/publish`, { method: "POST", body });
      editor.getState().report({ revision: (await readDraft()).revision });
      return published;
    },
    onSuccess: ({ version }) => {
      for (const queryKey of [["flow", flowId], ["flows"], ["/manage/flows"], [`${path}/versions`]])
        void queries.invalidateQueries({ queryKey });
      onPublished(version);
    },
  });
  /** Shows what somebody else has made of it; nothing of either is lost. */
  const lookAgain = async () => {
    const { graph, settings, revision } = await readDraft();
    const flow = { ...settings, graph } as Flow;
    editor.getState().report({ saved: "conflict", conflict: { flow, revision } });
  };
  return { publish, lookAgain };
}
