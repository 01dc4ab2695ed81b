import { type ReactNode, useState } from "react";
import { ApiError } from "../../../api/request.ts";
import { useT } from "../../../texts/texts.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { useEditor } from "../use-editor.ts";
import { PublishChecks } from "./publish-checks.tsx";
import { PublishDiff } from "./publish-diff.tsx";
import styles from "./publish.module.css";
import { usePublish } from "./use-publish.ts";

/** What would change, in words and on the graph, what speaks against it, and why it is done. */
export function PublishDialog(props: {
  onClose: () => void;
  onPublished: (version: string) => void;
}): ReactNode {
  const t = useT();
  const [note, setNote] = useState("");
  const saved = useEditor((state) => state.saved);
  const errors = useEditor((state) => state.errors);
  const { publish, lookAgain } = usePublish(props.onPublished);
  const isStale = publish.error instanceof ApiError && publish.error.code === "draft_changed";
  return (
    <Dialog
      title={t("publish.title")}
      wide
      onClose={props.onClose}
      footer={
        <>
          {saved !== "saved" && <span role="status">{t(`publish.${saved}`)}</span>}
          <button type="button" onClick={props.onClose}>
            {t("action.back")}
          </button>
          <button
            type="button"
            className="primary"
            disabled={publish.isPending || saved === "conflict" || errors.length > 0}
            onClick={() => publish.mutate(note)}
          >
            {t("publish.button")}
          </button>
        </>
      }
    >
      {saved === "saved" && <PublishDiff />}
      <PublishChecks />
      <Field
        label={t("publish.note")}
        help={t("publish.noteHelp")}
        maxLength={1_000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {publish.error && <ErrorNote error={publish.error} />}
      {isStale && (
        <div className={styles.conflict}>
          <p>{t("publish.conflictText")}</p>
          <button
            type="button"
            onClick={() => {
              void lookAgain();
              props.onClose();
            }}
          >
            {t("publish.lookAgain")}
          </button>
        </div>
      )}
    </Dialog>
  );
}
