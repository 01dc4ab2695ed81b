import type { ReactNode } from "react";
import { editViews, type EditView } from "../../search.ts";
import { useT } from "../../texts/texts.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useAdding } from "./adding.tsx";
import { arrange, placesOf } from "./canvas/places.ts";
import { copySelection, pasteText } from "./clipboard.ts";
import { nodesAmong, noteKey, notesOf, selectedNode } from "./notes.ts";
import { isFound } from "./flow.ts";
import { removeSelected } from "./operations/notes.ts";
import { type Alignment, align, setPositions } from "./operations/positions.ts";
import { useEditor, useEditorStore } from "./use-editor.ts";
import styles from "./editor-page.module.css";

interface Props {
  readonly view: EditView;
  readonly onView: (view: EditView) => void;
  readonly find: string;
  readonly onFind: (text: string) => void;
  readonly onAddNote: () => void;
}

const ALIGNMENTS: readonly Alignment[] = ["left", "top", "column", "row"];

export function EditorToolbar({ view, onView, find, onFind, onAddNote }: Props): ReactNode {
  const t = useT();
  const store = useEditorStore();
  const add = useAdding();
  const selection = useEditor((state) => state.selection);
  const isReadOnly = useEditor((state) => state.isReadOnly || state.faults.length > 0);
  const findNext = () => {
    const { flow, select, selection } = store.getState();
    const wanted = find.trim().toLowerCase();
    const nodes = flow.graph.nodes.filter((node) => isFound(node, wanted)).map(({ id }) => id);
    const notes = notesOf(flow).filter(({ text }) => text.toLowerCase().includes(wanted));
    const found = [...nodes, ...notes.map(({ id }) => noteKey(id))];
    const next = found[found.indexOf(selection[0] ?? "") + 1] ?? found[0];
    if (next !== undefined && wanted !== "") select([next]);
  };
  const alignBy = (how: string) => {
    const { flow, change } = store.getState();
    const places = placesOf(flow);
    const chosen = new Map(nodesAmong(selection).map((id) => [id, places.get(id)!]));
    const move = align(chosen, how as Alignment);
    change((before) => move(setPositions(places)(before)));
  };
  const layOut = () => {
    const { flow, change } = store.getState();
    change(setPositions(arrange(flow)));
  };
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t("editor.tools")}>
      <Tabs
        label={t("editor.views")}
        panel="editor-view"
        tabs={editViews.map((one) => ({ id: one, text: t(`editor.${one}`) }))}
        selected={view}
        onSelect={(chosen) => onView(editViews.find((one) => one === chosen) ?? "canvas")}
      />
      {view !== "yaml" && (
        <input
          id="editor-find"
          type="search"
          className={styles.find}
          aria-label={t("editor.find")}
          placeholder={t("editor.find")}
          value={find}
          onChange={(event) => onFind(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") findNext();
          }}
        />
      )}
      {!isReadOnly && view !== "yaml" && (
        <>
          <button
            type="button"
            className="primary"
            onClick={() => add({ after: selectedNode({ selection }) })}
          >
            {t("editor.add")}
          </button>
          <Tool icon="note" name={t("editor.addNote")} onClick={onAddNote} />
          <Tool
            icon="copy"
            name={t("editor.copy")}
            disabled={selection.length === 0}
            onClick={() => void navigator.clipboard?.writeText(copySelection(store) ?? "")}
          />
          <Tool
            icon="paste"
            name={t("editor.paste")}
            onClick={() => void navigator.clipboard?.readText().then((text) => pasteText(store, text))}
          />
          <Tool
            icon="trash"
            name={t("editor.remove")}
            disabled={selection.length === 0}
            onClick={() => store.getState().change(removeSelected(selection))}
          />
        </>
      )}
      {!isReadOnly && view === "canvas" && (
        <>
          <button type="button" onClick={layOut}>
            {t("editor.layOut")}
          </button>
          <select
            aria-label={t("editor.align")}
            disabled={nodesAmong(selection).length < 2}
            value=""
            onChange={(event) => alignBy(event.target.value)}
          >
            <option value="">{t("editor.align")}</option>
            {ALIGNMENTS.map((how) => (
              <option key={how} value={how}>
                {t(`editor.align.${how}`)}
              </option>
            ))}
          </select>
        </>
      )}
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly name: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A picture instead of a word: in some languages the words fill two lines. */
function Tool({ icon, name, ...button }: ToolProps): ReactNode {
  return (
    <button type="button" aria-label={name} title={name} {...button}>
      <Icon name={icon} />
    </button>
  );
}
