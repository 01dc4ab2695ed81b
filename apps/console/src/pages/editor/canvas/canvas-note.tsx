import { type Node, type NodeProps, NodeResizeControl } from "@xyflow/react";
import { memo, type ReactNode, useMemo } from "react";
import { useT } from "../../../texts/texts.tsx";
import { MAX_NOTE, MIN_NOTE, noteKey, notesOf, sizeOf } from "../notes.ts";
import type { Flow } from "../flow.ts";
import type { Position } from "../operations/change-graph.ts";
import styles from "./canvas.module.css";

export type NoteNode = Node<{ text: string; isReadOnly: boolean }, "note">;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Behind everything else, also when it is selected, which the library lifts by 1,000. */
const BEHIND = -1_001;

/** The notes as the library draws them. */
export function useNotes(
  flow: Flow,
  selection: readonly string[],
  isReadOnly: boolean,
  { places, sizes }: { places: ReadonlyMap<string, Position>; sizes: ReadonlyMap<string, Size> },
): NoteNode[] {
  const t = useT();
  const notes = notesOf(flow);
  return useMemo(
    () =>
      notes.map((note): NoteNode => {
        const key = noteKey(note.id);
        return {
          id: key,
          type: "note",
          position: places.get(key) ?? note.position,
          ...(sizes.get(key) ?? sizeOf(note)),
          zIndex: BEHIND,
          connectable: false,
          selected: selection.includes(key),
          data: { text: note.text, isReadOnly },
          ariaLabel: `${t("editor.note")}: ${note.text || t("editor.emptyNote")}`,
        };
      }),
    [notes, selection, isReadOnly, places, sizes, t],
  );
}

/** A text on the canvas; its lower right corner makes it larger or smaller. */
export const CanvasNoteView = memo(function CanvasNoteView({
  data,
  selected,
}: NodeProps<NoteNode>): ReactNode {
  const t = useT();
  return (
    <div className={styles.sticky} data-selected={selected}>
      <div className={styles.stickyText}>{data.text || <em>{t("editor.emptyNote")}</em>}</div>
      {selected && !data.isReadOnly && (
        <NodeResizeControl
          className={styles.resize}
          minWidth={MIN_NOTE.width}
          minHeight={MIN_NOTE.height}
          maxWidth={MAX_NOTE}
          maxHeight={MAX_NOTE}
        />
      )}
    </div>
  );
});
