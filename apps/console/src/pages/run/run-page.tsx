import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useLiveRun } from "../../api/live-run.ts";
import { type NodeHead, useTopNodes } from "../../api/nodes.ts";
import type { Run } from "@millrace/client";
import { type Page as ListPage, useRun } from "../../api/runs.ts";
import { mayAct } from "../../lib/session.ts";
import { type RunSearch, runViews } from "../../search.ts";
import { isTyping } from "../../shell/shortcuts.tsx";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { nodesAt } from "./nodes-at.ts";
import { NodeList } from "./node-list.tsx";
import { type RunDialog, RunHeader } from "./run-header.tsx";
import { RunGraph } from "./run-graph.tsx";
import { RunInspector } from "./run-inspector.tsx";
import { Scrubber } from "./scrubber.tsx";
import { Timeline } from "./timeline.tsx";
import styles from "./run-page.module.css";

// A graph is no larger than the screen it is on.
const narrow = window.matchMedia("(max-width: 720px)");
const NOTHING: readonly NodeHead[] = [];
const FAULTY = new Set(["FAILED", "TIMED_OUT", "CANCELED", "ABORTED"]);

export function RunPage(): ReactNode {
  const t = useT();
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const search = useSearch({ from: "/shell/runs/$runId" });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const run = useRun(runId);
  const nodes = useTopNodes(runId);
  const [dialog, setDialog] = useState<RunDialog>();
  useLiveRun(runId, run.data);

  const all = nodes.data ?? NOTHING;
  const createdAt = run.data?.createdAt;
  const then = useMemo(
    () => (search.at === undefined || createdAt === undefined ? all : nodesAt(all, createdAt, search.at)),
    [all, search.at, createdAt],
  );
  const shown = useMemo(() => {
    const wanted = search.q?.toLowerCase();
    return then.filter(
      ({ status, nodeKey, type }) =>
        (!search.errors || FAULTY.has(status)) &&
        (wanted === undefined || `${nodeKey} ${type}`.toLowerCase().includes(wanted)),
    );
  }, [then, search.errors, search.q]);

  const change = (changed: RunSearch) =>
    void navigate({
      to: "/runs/$runId",
      params: { runId },
      // Of this moment: two changes may come before the page is drawn again.
      search: (now) => ({ ...now, ...changed }),
      replace: true,
    });
  const onNeighbour = (step: 1 | -1) => {
    const next = neighbourOf(queries, runId, step);
    if (next) void navigate({ to: "/runs/$runId", params: { runId: next }, search: { view: search.view } });
  };
  useRunKeys({ nodes: shown, search, change, onDialog: setDialog, onNeighbour });

  // What was read stays, should a later request fail.
  if (run.error && !run.data)
    return (
      <Page title={runId}>
        <ErrorNote error={run.error} retry={() => void run.refetch()} />
      </Page>
    );
  if (!run.data) return <Loading />;
  const view = search.view ?? (narrow.matches ? "timeline" : "graph");
  return (
    <div className={styles.page}>
      <RunHeader run={run.data} nodes={all} selected={search.node} dialog={dialog} onDialog={setDialog} />
      <div className={styles.split}>
        <section className={styles.left} aria-label={t("run.nodes")}>
          <div className={styles.toolbar}>
            <Tabs
              label={t("run.views")}
              panel="run-view"
              tabs={runViews.map((one) => ({ id: one, text: t(`run.view.${one}`) }))}
              selected={view}
              onSelect={(chosen) => change({ view: runViews.find((one) => one === chosen) })}
            />
            <input
              id="node-search"
              type="search"
              className={styles.search}
              aria-label={t("run.search")}
              placeholder={t("run.search")}
              value={search.q ?? ""}
              onChange={(event) => change({ q: event.target.value || undefined })}
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
            {nodes.data?.length === 0 && view !== "graph" && (
              <p className={styles.none}>{t("run.noNodes")}</p>
            )}
            {view === "graph" && (
              <RunGraph
                run={run.data}
                nodes={shown}
                selected={search.node}
                onSelect={(node) => change({ node })}
                zoom={search.zoom}
                onZoom={(zoom) => change({ zoom })}
              />
            )}
            {view === "list" && (
              <NodeList
                run={run.data}
                nodes={shown}
                selected={search.node}
                onSelect={(node) => change({ node })}
              />
            )}
            {view === "timeline" && (
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
        <RunInspector run={run.data} nodes={then} search={search} onChange={change} />
      </div>
    </div>
  );
}

/** The run before or after in a list that was looked at; further down is older. */
function neighbourOf(queries: QueryClient, runId: string, step: 1 | -1): string | undefined {
  for (const [, list] of queries.getQueriesData<InfiniteData<ListPage<Run>>>({ queryKey: ["runs"] })) {
    const ids = list?.pages.flatMap((page) => page.data.map(({ id }) => id)) ?? [];
    const place = ids.indexOf(runId);
    if (place !== -1) return ids[place + step];
  }
  return undefined;
}

interface Keys {
  readonly nodes: readonly NodeHead[];
  readonly search: RunSearch;
  readonly change: (changed: RunSearch) => void;
  readonly onDialog: (dialog: RunDialog) => void;
  readonly onNeighbour: (step: 1 | -1) => void;
}

/** Arrows walk through the nodes, letters do what the buttons do. */
function useRunKeys({ nodes, search, change, onDialog, onNeighbour }: Keys): void {
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
      } else if (event.key === "/") {
        event.preventDefault();
        document.getElementById("node-search")?.focus();
      } else if (event.key === "j" || event.key === "k") onNeighbour(event.key === "j" ? 1 : -1);
      else if (event.key === "e") change({ errors: search.errors ? undefined : true });
      else if (event.key === "c" && mayAct("member")) onDialog("cancel");
      else if (event.key === "f" && mayAct("member")) {
        event.preventDefault();
        onDialog("fork");
      } else if (event.key === "Escape") change({ node: undefined });
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [nodes, search, change, onDialog, onNeighbour]);
}
