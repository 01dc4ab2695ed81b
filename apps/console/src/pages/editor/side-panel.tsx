import { type ReactNode, Suspense, useRef } from "react";
import { useT } from "../../texts/texts.tsx";
import { Loading } from "../../ui/notes.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { nodeOf } from "./flow.ts";
import { FlowForm } from "./forms/flow-form.tsx";
import { NodeForm } from "./forms/node-form.tsx";
import { NoteForm } from "./forms/note-form.tsx";
import { sideTabs } from "./mounts.tsx";
import { noteKey, notesOf } from "./notes.ts";
import { useEditor } from "./use-editor.ts";
import styles from "./editor-page.module.css";

interface Props {
  readonly tab: string;
  readonly onTab: (tab: string) => void;
  /** Where there is room for one thing only: the way back to the outline. */
  readonly onBack: (() => void) | undefined;
}

export function SidePanel({ tab, onTab, onBack }: Props): ReactNode {
  const t = useT();
  const selection = useEditor((state) => state.selection);
  const tabs = [
    { id: "node", text: t("editor.node") },
    { id: "flow", text: t("editor.flow") },
    ...sideTabs.map(({ id, text }) => ({ id, text: t(text) })),
  ];
  const Panel = sideTabs.find(({ id }) => id === tab)?.Panel;
  const selected = tabs.find(({ id }) => id === tab) ?? tabs[0]!;
  return (
    <section
      className={styles.side}
      aria-label={t("editor.details")}
      onKeyDown={(event) => {
        // Back to where nodes are chosen, and the keys of the editor.
        if (event.key === "Escape" && !event.defaultPrevented)
          document.getElementById("editor-view")?.focus();
      }}
    >
      <div className={styles.sideTabs}>
        {onBack && (
          <button type="button" onClick={onBack}>
            {t("action.back")}
          </button>
        )}
        <Tabs
          label={t("editor.details")}
          panel="editor-side"
          tabs={tabs}
          selected={selected.id}
          onSelect={onTab}
        />
      </div>
      <div
        id="editor-side"
        role="tabpanel"
        aria-label={selected.text}
        className={styles.sideBody}
        tabIndex={-1}
      >
        {selected.id === "node" && <SelectedNode ids={selection} />}
        {selected.id === "flow" && <FlowForm />}
        {Panel && (
          <Suspense fallback={<Loading />}>
            <Panel />
          </Suspense>
        )}
      </div>
    </section>
  );
}

function SelectedNode({ ids }: { ids: readonly string[] }): ReactNode {
  const t = useT();
  const [id] = ids;
  const node = useEditor((state) => (id === undefined ? undefined : nodeOf(state.flow, id)));
  const note = useEditor(({ flow }) => notesOf(flow).find((one) => noteKey(one.id) === id));
  const key = useFormKey(id);
  if (ids.length > 1) return <p className="muted">{t("editor.several", { count: ids.length })}</p>;
  if (note) return <NoteForm key={key} note={note} />;
  return node ? <NodeForm key={key} node={node} /> : <p className="muted">{t("editor.nothingSelected")}</p>;
}

/** Another one for another node. A node that was renamed is the same, so that nobody is thrown out of its form. */
function useFormKey(id: string | undefined): number {
  const renamed = useEditor((state) => state.renamed);
  const shown = useRef({ id, key: 0 });
  if (shown.current.id !== id) {
    const isSame = renamed?.from === shown.current.id && renamed?.to === id;
    shown.current = { id, key: shown.current.key + (isSame ? 0 : 1) };
  }
  return shown.current.key;
}
