import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { FlowDraft } from "@millrace/client";
import { useCreateFlow } from "../../../api/create-flow.ts";
import { requestData } from "../../../api/request.ts";
import { mayAct } from "../../../lib/session.ts";
import { useT } from "../../../texts/texts.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { useEditor, useEditorStore } from "../use-editor.ts";
import styles from "./publish.module.css";

/** A flow whose document `apply` brings is left alone: it is edited as a copy, or detached first. */
export function OwnedNote(): ReactNode {
  const t = useT();
  const editor = useEditorStore();
  const queries = useQueryClient();
  const flowId = useEditor((state) => state.flowId);
  const [detaching, setDetaching] = useState(false);
  const path = `/manage/flows/${encodeURIComponent(flowId)}`;
  const owner = useQuery({
    queryKey: ["flow", flowId, "owner"],
    queryFn: ({ signal }) => requestData<FlowDraft>(`${path}/draft`, { signal }),
    // As it was when the editor was opened: an apply meanwhile is a conflict, which is shown as one.
    staleTime: Infinity,
    gcTime: 0,
  });
  const isOwned = owner.data?.managedBy === "apply";
  const name = owner.data?.name ?? flowId;
  const copy = useCreateFlow();
  const detach = useMutation({
    mutationFn: () => requestData(`${path}/detach`, { method: "POST" }),
    onSuccess: () => {
      setDetaching(false);
      editor.getState().report({ isReadOnly: false });
      return queries.invalidateQueries({ queryKey: ["flow", flowId, "owner"] });
    },
  });
  useEffect(() => {
    if (isOwned) editor.getState().report({ isReadOnly: true });
  }, [isOwned, editor]);
  if (!isOwned || !mayAct("admin")) return null;
  return (
    <div className={styles.owned} role="note">
      <span>{t("owned.text")}</span>
      <button
        type="button"
        disabled={copy.isPending}
        onClick={() => copy.mutate({ copyOf: flowId, name: t("owned.copyName", { name }).slice(0, 200) })}
      >
        {t("owned.copy")}
      </button>
      <button type="button" onClick={() => setDetaching(true)}>
        {t("owned.detach")}
      </button>
      {copy.error && <ErrorNote error={copy.error} />}
      {detaching && (
        <Confirm
          title={t("owned.detachTitle")}
          text={t("owned.detachText")}
          action={t("owned.detach")}
          busy={detach.isPending}
          error={detach.error}
          onConfirm={() => detach.mutate()}
          onClose={() => setDetaching(false)}
        />
      )}
    </div>
  );
}
