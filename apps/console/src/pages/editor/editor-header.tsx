import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { HeaderActions } from "./mounts.tsx";
import { useEditor } from "./use-editor.ts";
import styles from "./editor-page.module.css";

interface Props {
  readonly name: string;
  readonly onProblems: () => void;
  /** The text cannot be read: there it is. */
  readonly onText: () => void;
  /** Where there is room for one thing only: the way to forms, values and tests. */
  readonly onDetails: (() => void) | undefined;
}

/** The flow's name, whether the draft is saved and would run, and what can be done with the whole. */
export function EditorHeader({ name, onProblems, onText, onDetails }: Props): ReactNode {
  const t = useT();
  const flowId = useEditor((state) => state.flowId);
  const saved = useEditor((state) => state.saved);
  const saveError = useEditor((state) => state.saveError);
  const problems = useEditor((state) => state.errors.length);
  const fault = useEditor((state) => state.faults[0]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const canUndo = useEditor((state) => state.past.length > 0);
  const canRedo = useEditor((state) => state.future.length > 0);
  const undo = useEditor((state) => state.undo);
  const redo = useEditor((state) => state.redo);
  const [isLater, setLater] = useState(false);
  const isConflict = saved === "conflict";
  return (
    <header className={styles.header}>
      <h1>
        <Link to="/flows/$flowId" params={{ flowId }}>
          {name}
        </Link>
      </h1>
      <span className={styles.state} data-saved={saved}>
        {isReadOnly ? t("editor.readOnly") : t(`editor.${saved}`)}
      </span>
      {problems > 0 && (
        <button type="button" className={styles.problems} onClick={onProblems}>
          {t("editor.problems", { count: problems })}
        </button>
      )}
      <div className={styles.headerActions}>
        <button type="button" disabled={!canUndo || isReadOnly} onClick={undo}>
          {t("editor.undo")}
        </button>
        <button type="button" disabled={!canRedo || isReadOnly} onClick={redo}>
          {t("editor.redo")}
        </button>
        {isConflict && (
          <button type="button" className="danger" onClick={() => setLater(false)}>
            {t("editor.resolve")}
          </button>
        )}
        {onDetails && (
          <button type="button" onClick={onDetails}>
            {t("editor.details")}
          </button>
        )}
        <HeaderActions />
      </div>
      {fault && (
        <p role="status" className={styles.fault}>
          {t("editor.unreadable", { line: fault.line, message: fault.message })}{" "}
          <button type="button" className="quiet" onClick={onText}>
            {t("editor.show", { node: "YAML" })}
          </button>
        </p>
      )}
      {saveError !== undefined && saveError !== null && <ErrorNote error={saveError} />}
      {isConflict && !isLater && <ConflictDialog onClose={() => setLater(true)} />}
    </header>
  );
}
