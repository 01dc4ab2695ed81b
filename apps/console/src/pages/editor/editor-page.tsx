import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { checkDraft, type Draft, readDraft, saveDraft, useDraft } from "../../api/drafts.ts";
import { useFlow } from "../../api/flows.ts";
import { ApiError } from "../../api/request.ts";
import { mayAct } from "../../lib/session.ts";
import type { EditSearch } from "../../search.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { AddingProvider, useAdding } from "./adding.tsx";
import { Canvas } from "./canvas/canvas.tsx";
import { placeForNote } from "./canvas/places.ts";
import { checkLive } from "./check-live.ts";
import { EditorHeader } from "./editor-header.tsx";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { type Flow, settingsOf } from "./flow.ts";
import { keepSaved } from "./keep-saved.ts";
import { Leaving } from "./leaving.tsx";
import { NodeWordsProvider } from "./node-words.tsx";
import { noteKey } from "./notes.ts";
import { addNotes } from "./operations/notes.ts";
import { Outline } from "./outline/outline.tsx";
import { SidePanel } from "./side-panel.tsx";
import { createEditor, type EditorStore } from "./store.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import { EditorContext, useEditor, useEditorStore } from "./use-editor.ts";
import { useNarrow } from "./use-narrow.ts";
import styles from "./editor-page.module.css";

const YamlPane = lazy(async () => ({ default: (await import("./yaml-pane.tsx")).YamlPane }));

export function EditorPage(): ReactNode {
  const { flowId } = useParams({ from: "/shell/flows/$flowId/edit" });
  const draft = useDraft(flowId);
  const flow = useFlow(flowId);
  const error = draft.error ?? flow.error;
  if (error && !(draft.data && flow.data))
    return (
      <Page title={flowId}>
        <ErrorNote error={error} retry={() => void Promise.all([draft.refetch(), flow.refetch()])} />
      </Page>
    );
  if (!draft.data || !flow.data) return <Loading />;
  return <OpenEditor key={flowId} draft={draft.data} name={flow.data.name} />;
}

const flowOf = ({ graph, settings }: Draft): Flow => ({ ...settings, graph });

function OpenEditor({ draft, name }: { draft: Draft; name: string }): ReactNode {
  const { node, run } = useSearch({ from: "/shell/flows/$flowId/edit" });
  const [store] = useState(() => {
    const { flowId, revision } = draft;
    const isReadOnly = draft.managedBy === "apply" || !mayAct("admin");
    const made = createEditor({ flowId, flow: flowOf(draft), revision, isReadOnly });
    if (node !== undefined) made.getState().select([node]);
    // Who only looks may evaluate nothing.
    if (run !== undefined && mayAct("member")) made.getState().chooseRun(run);
    return made;
  });
  useService(store);
  const [added, setAdded] = useState(0);
  const onAdded = useCallback(() => setAdded((count) => count + 1), []);
  return (
    <EditorContext value={store}>
      <NodeWordsProvider>
        <AddingProvider onAdded={onAdded}>
          <Layout name={name} added={added} />
          <Leaving />
        </AddingProvider>
      </NodeWordsProvider>
    </EditorContext>
  );
}

/** Saves and checks while the editor is open; what is not saved yet is saved when it is left. */
function useService(store: EditorStore): void {
  useEffect(() => {
    const { flowId } = store.getState();
    const saving = keepSaved(store, {
      save: (flow, revision) =>
        saveDraft(flowId, { graph: flow.graph, settings: settingsOf(flow), revision }),
      read: async () => {
        const draft = await readDraft(flowId);
        return { flow: flowOf(draft), revision: draft.revision };
      },
      isStale: (error) => error instanceof ApiError && error.status === 409,
      isPassing: (error) => error instanceof ApiError && (error.status === 0 || error.status >= 500),
    });
    store.getState().report({ save: saving.flush });
    const stopChecking = checkLive(store, (flow, signal) =>
      checkDraft(flowId, { graph: flow.graph, settings: settingsOf(flow) }, signal),
    );
    return () => {
      stopChecking();
      saving.stop();
      void saving.flush();
    };
  }, [store]);
}

function Layout({ name, added }: { name: string; added: number }): ReactNode {
  const t = useT();
  const store = useEditorStore();
  const add = useAdding();
  const isNarrow = useNarrow();
  const search = useSearch({ from: "/shell/flows/$flowId/edit" });
  const navigate = useNavigate();
  const [find, setFind] = useState("");
  const [isOpen, setOpen] = useState(search.panel !== undefined);
  const view = search.pane ?? (isNarrow ? "outline" : "canvas");
  const title = t("editor.title", { name });
  useEffect(() => {
    document.title = `${title} · Millrace`;
  }, [title]);
  const change = useCallback(
    (changed: EditSearch) =>
      void navigate({
        to: "/flows/$flowId/edit",
        params: { flowId: store.getState().flowId },
        search: (now) => ({ ...now, ...changed }),
        replace: true,
        ignoreBlocker: true,
      }),
    [navigate, store],
  );
  const selected = useEditor(({ selection }) => (selection.length === 1 ? selection[0] : undefined));
  const runId = useEditor((state) => state.runId);
  useEffect(() => change({ node: selected, run: runId }), [selected, runId, change]);
  const openForm = useCallback(() => {
    change({ panel: undefined });
    setOpen(true);
    // After it has been drawn.
    setTimeout(() =>
      document.querySelector<HTMLElement>("#editor-side :is(input, select, textarea)")?.focus(),
    );
  }, [change]);
  useEffect(() => {
    if (added > 0) openForm();
  }, [added, openForm]);
  const addNote = useCallback(() => {
    const { flow, isReadOnly, faults, change: apply, select } = store.getState();
    if (isReadOnly || faults.length > 0) return;
    const { ids, operation } = addNotes(flow, [{ id: "note", text: "", position: placeForNote(flow) }]);
    apply(operation);
    select(ids.map(noteKey));
    openForm();
  }, [store, openForm]);
  useEditorKeys(store, { add, addNote, openForm });
  return (
    <div className={styles.page} data-open={isNarrow && isOpen}>
      <EditorHeader
        name={name}
        onDetails={isNarrow && !isOpen ? () => setOpen(true) : undefined}
        onText={() => {
          change({ pane: "yaml" });
          setOpen(false);
        }}
        onProblems={() => {
          change({ panel: "flow" });
          setOpen(true);
        }}
      />
      <div className={styles.split}>
        <section className={styles.main} aria-label={title}>
          <EditorToolbar
            view={view}
            onView={(chosen) => change({ pane: chosen })}
            find={find}
            onFind={setFind}
            onAddNote={addNote}
          />
          <div
            id="editor-view"
            role="tabpanel"
            aria-label={t(`editor.${view}`)}
            className={styles.view}
            tabIndex={-1}
          >
            {view === "canvas" && <Canvas onOpen={openForm} />}
            {view === "outline" && <Outline find={find} onOpen={openForm} />}
            {view === "yaml" && (
              <Suspense fallback={<Loading />}>
                <YamlPane />
              </Suspense>
            )}
          </div>
        </section>
        {(!isNarrow || isOpen) && (
          <SidePanel
            tab={search.panel ?? "node"}
            onTab={(tab) => change({ panel: tab === "node" ? undefined : tab })}
            onBack={isNarrow ? () => setOpen(false) : undefined}
          />
        )}
      </div>
    </div>
  );
}
