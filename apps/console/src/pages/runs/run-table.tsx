import { useVirtualizer } from "@tanstack/react-virtual";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { Flow, Run } from "@millrace/client";
import type { useRuns } from "../../api/runs.ts";
import { type LiveRuns, useLiveRuns } from "../../api/live-runs.ts";
import type { RunsSearch } from "../../search.ts";
import { useT } from "../../texts/texts.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago, Duration } from "../../ui/time.tsx";
import styles from "./run-table.module.css";

interface Props {
  readonly runs: readonly Run[];
  readonly flows: readonly Flow[];
  readonly query: ReturnType<typeof useRuns>;
  readonly search: RunsSearch;
}

const ROW_PX = 38;
const CARD_PX = 64;
const NEAR_END = 30;
const narrow = window.matchMedia("(max-width: 720px)");

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener("change", listener);
      return () => narrow.removeEventListener("change", listener);
    },
    () => narrow.matches,
  );
}

/** Only the rows that can be seen exist. They are patched where they stand; new ones wait behind a button. */
export function RunTable({ runs, flows, query, search }: Props): ReactNode {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  const names = useMemo(() => new Map(flows.map((flow) => [flow.id, flow.name])), [flows]);
  const live = useLiveRuns(runs, search);
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? CARD_PX : ROW_PX),
    getItemKey: (index) => runs[index]!.id,
    overscan: 12,
  });
  useEffect(() => rows.measure(), [rows, isNarrow]);

  const visible = rows.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= runs.length - NEAR_END) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, runs.length]);

  useEffect(() => live.look(visible.map(({ index }) => runs[index]!)));

  const showNew = () => {
    void query.refetch().then(() => {
      live.reset();
      scroller.current?.scrollTo({ top: 0 });
    });
  };

  return (
    <div className={styles.frame}>
      {live.newCount > 0 && (
        <button type="button" className={`primary ${styles.pill}`} onClick={showNew}>
          {t("runs.new", { count: live.newCount > 999 ? "999+" : live.newCount })}
        </button>
      )}
      <div role="table" aria-label={t("nav.runs")} aria-rowcount={-1} className={styles.table}>
        <div role="rowgroup" className={styles.head}>
          <div role="row" className={styles.row}>
            <span role="columnheader">{t("runs.status")}</span>
            <span role="columnheader">{t("runs.flow")}</span>
            <span role="columnheader">{t("runs.run")}</span>
            <span role="columnheader">{t("runs.trigger")}</span>
            <span role="columnheader">{t("runs.tags")}</span>
            <span role="columnheader">{t("runs.created")}</span>
            <span role="columnheader">{t("runs.duration")}</span>
          </div>
        </div>
        <div role="rowgroup" ref={scroller} className={styles.body} tabIndex={0} aria-label={t("nav.runs")}>
          <div role="presentation" style={{ height: rows.getTotalSize() }} className={styles.space}>
            {visible.map((item) => (
              <RunRow
                key={item.key}
                index={item.index}
                top={item.start}
                height={item.size}
                run={runs[item.index]!}
                name={names.get(runs[item.index]!.payload.flowId)}
                live={live}
              />
            ))}
          </div>
        </div>
      </div>
      <p role="status" className="visually-hidden">
        {isFetchingNextPage ? t("loading") : ""}
      </p>
    </div>
  );
}

interface RowProps {
  readonly run: Run;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly name: string | undefined;
  readonly live: LiveRuns;
}

function RunRow({ run, index, top, height, name, live }: RowProps): ReactNode {
  const t = useT();
  const { status, completedAt } = live.latest(run);
  const { flowId, triggerSource } = run.payload;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-row=""
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell">
        <Status status={status} />
      </span>
      <span role="cell" className={styles.flow}>
        <Link to="/runs/$runId" params={{ runId: run.id }} className={styles.link} title={flowId}>
          {name ?? flowId}
        </Link>
      </span>
      <span role="cell" className={styles.id}>
        {run.id}
      </span>
      <span role="cell" className={styles.trigger}>
        {t(`trigger.${triggerSource}`)}
      </span>
      <span role="cell" className={styles.tags}>
        {run.tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
      </span>
      <span role="cell" className={styles.age}>
        <Ago value={run.createdAt} />
      </span>
      <span role="cell" className={styles.duration}>
        {run.startedAt ? <Duration from={run.startedAt} to={completedAt} /> : "–"}
      </span>
    </div>
  );
}
