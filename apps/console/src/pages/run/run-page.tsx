import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useLiveRun } from "../../api/live-run.ts";
import { type NodeHead, useTopNodes } from "../../api/nodes.ts";
import { isTerminal, useRun } from "../../api/runs.ts";
import { type RunSearch, runViews } from "../../search.ts";
import { isTyping } from "../../shell/shortcuts.tsx";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { nodesAt } from "./nodes-at.ts";
import { NodeList } from "./node-list.tsx";
import { RunHeader } from "./run-header.tsx";
import { RunInspector } from "./run-inspector.tsx";
import { Scrubber } from "./scrubber.tsx";
import { Timeline } from "./timeline.tsx";
import styles from "./run-page.module.css";

const NOTHING: readonly NodeHead[] = [];
const FAULTY = new Set(["FAILED", "TIMED_OUT", "CANCELED", "ABORTED"]);

export function RunPage(): ReactNode {
  const t = useT();
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const search = useSearch({ from: "/shell/runs/$runId" });
  const navigate = useNavigate();
  const run = useRun(runId);
  const nodes = useTopNodes(runId);
  const [dialog, setDialog] = useState<"cancel">();
  useLiveRun(runId, run.data !== undefined && !isTerminal(run.data.status));

  const all = nodes.data ?? NOTHING;
  const shown = useMemo(() => {
    const then = search.at === undefined || !run.data ? all : nodesAt(all, run.data.createdAt, search.at);
    return search.errors ? then.filter(({ status }) => FAULTY.has(status)) : then;
  }, [all, search.at, search.errors, run.data]);

  const change = (changed: RunSearch) =>
    void navigate({
      to: "/runs/$runId",
      params: { runId },
      search: { ...search, ...changed },
      replace: true,
    });
  useRunKeys({ nodes: shown, search, change, onCancel: () => setDialog("cancel") });

  if (run.error)
    return (
      <Page title={runId}>
        <ErrorNote error={run.error} retry={() => void run.refetch()} />
      </Page>
    );
  if (!run.data) return <Loading />;
  const view = search.view ?? "timeline";
  const views = runViews.filter((one) => one !== "graph");
  return (
    <div className={styles.page}>
      <RunHeader run={run.data} dialog={dialog} onDialog={setDialog} />
      <div className={styles.split}>
        <section className={styles.left} aria-label={t("run.nodes")}>
          <div className={styles.toolbar}>
            <Tabs
              label={t("run.views")}
              panel="run-view"
              tabs={views.map((one) => ({ id: one, text: t(`run.view.${one}`) }))}
              selected={view}
              onSelect={(chosen) => change({ view: runViews.find((one) => one === chosen) })}
            />
            <label className={styles.errors}>
              <input
                type="checkbox"
                checked={search.errors === true}
                onChange={(event) => change({ errors: event.target.checked || undefined })}
              />
              {t("run.errorsOnly")}
            </label>
          </div>
          {nodes.error && <ErrorNote error={nodes.error} retry={() => void nodes.refetch()} />}
          <div
            id="run-view"
            role="tabpanel"
            aria-label={t(`run.view.${view}`)}
            className={styles.view}
            tabIndex={0}
          >
            {nodes.data?.length === 0 && <p className={styles.none}>{t("run.noNodes")}</p>}
            {view === "list" ? (
              <NodeList
                run={run.data}
                nodes={shown}
                selected={search.node}
                onSelect={(node) => change({ node })}
              />
            ) : (
              <Timeline
                run={run.data}
                nodes={shown}
                selected={search.node}
                onSelect={(node) => change({ node })}
              />
            )}
          </div>
          <Scrubber run={run.data} nodes={all} at={search.at} onChange={(at) => change({ at })} />
        </section>
        <RunInspector run={run.data} nodes={all} search={search} onChange={change} />
      </div>
    </div>
  );
}

interface Keys {
  readonly nodes: readonly NodeHead[];
  readonly search: RunSearch;
  readonly change: (changed: RunSearch) => void;
  readonly onCancel: () => void;
}

/** Arrows walk through the nodes, letters do what the buttons do. */
function useRunKeys({ nodes, search, change, onCancel }: Keys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (move) {
        const keys = nodes.map(({ nodeKey }) => nodeKey);
        const place = keys.indexOf(search.node ?? "");
        const next = keys[Math.max(0, Math.min(keys.length - 1, place + move))];
        if (next !== undefined) {
          event.preventDefault();
          change({ node: next });
        }
      } else if (event.key === "e") change({ errors: search.errors ? undefined : true });
      else if (event.key === "c") onCancel();
      else if (event.key === "Escape") change({ node: undefined });
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [nodes, search, change, onCancel]);
}
