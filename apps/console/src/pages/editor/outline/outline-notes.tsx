import type { ReactNode } from "react";
import { useT } from "../../../texts/texts.tsx";
import { noteKey, notesOf } from "../notes.ts";
import { removeSelected } from "../operations/notes.ts";
import { useEditor } from "../use-editor.ts";
import styles from "./outline.module.css";

/** The notes on the canvas, below the nodes. */
export function OutlineNotes({ wanted, onOpen }: { wanted: string; onOpen: () => void }): ReactNode {
  const t = useT();
  const notes = useEditor(({ flow }) => notesOf(flow));
  const selection = useEditor((state) => state.selection);
  const isReadOnly = useEditor((state) => state.isReadOnly || state.faults.length > 0);
  const select = useEditor((state) => state.select);
  const change = useEditor((state) => state.change);
  const remove = (key: string) => {
    change(removeSelected([key]));
    document.getElementById("editor-view")?.focus();
  };
  const shown = notes.filter(({ text }) => text.toLowerCase().includes(wanted));
  if (shown.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t("editor.notes")}>
      {shown.map(({ id, text }) => {
        const key = noteKey(id);
        const isSelected = selection.includes(key);
        return (
          <li key={id} className={styles.item} data-selected={isSelected}>
            <button
              type="button"
              className={styles.name}
              aria-pressed={isSelected}
              onClick={(event) => {
                const isMore = event.ctrlKey || event.metaKey || event.shiftKey;
                if (!isMore) return select([key]);
                select(isSelected ? selection.filter((one) => one !== key) : [...selection, key]);
              }}
              onDoubleClick={onOpen}
              onKeyDown={(event) => {
                if (event.key !== "Delete" && event.key !== "Backspace") return;
                event.preventDefault();
                remove(key);
              }}
            >
              <span className={styles.note}>{text || t("editor.emptyNote")}</span>
            </button>
            {isSelected && selection.length === 1 && (
              <div className={styles.actions} role="group" aria-label={t("editor.note")}>
                <button type="button" onClick={onOpen}>
                  {t("editor.edit")}
                </button>
                {!isReadOnly && (
                  <button type="button" className="danger" onClick={() => remove(key)}>
                    {t("editor.remove")}
                  </button>
                )}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
