import { useVirtualizer } from "@tanstack/react-virtual";
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { type NodeHead, useFailedRounds, useRounds } from "../../api/nodes.ts";
import { useLanguage } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Status } from "../../ui/status.tsx";
import { Duration } from "../../ui/time.tsx";
import { roundOf, RoundStrip } from "./round-strip.tsx";
import styles from "./rounds-panel.module.css";

interface Props {
  readonly runId: string;
  readonly container: string;
  readonly selected: string | undefined;
  readonly onSelect: (nodeKey: string) => void;
}

const ROW_PX = 32;

/** What happened in the rounds of a container: all of them, one, or those that failed. None is left out silently. */
export function RoundsPanel({ runId, container, selected, onSelect }: Props): ReactNode {
  const { t, locale } = useLanguage();
  const [only, setOnly] = useState<number>();
  const [failed, setFailed] = useState(false);
  const rounds = useRounds(runId, container, {
    ...(only !== undefined && { only }),
    ...(failed && { failed }),
  });
  const faulty = useFailedRounds(runId, container);
  const nodes = useMemo(() => {
    const all = rounds.data?.pages.flatMap((page) => page.data) ?? [];
    if (failed || only !== undefined || !faulty.data) return all;
    // Those that failed come first: nobody scrolls through thousands to find them.
    const first = new Set(faulty.data.map(({ nodeKey }) => nodeKey));
    return [...faulty.data, ...all.filter(({ nodeKey }) => !first.has(nodeKey))];
  }, [rounds.data, faulty.data, failed, only]);
  const total = rounds.data?.pages[0]?.rounds;
  return (
    <section className="stack" aria-label={t("rounds.title")}>
      <h3>
        {t("rounds.title")}
        {total !== undefined && <span className="muted"> {total.toLocaleString(locale)}</span>}
      </h3>
      <div className="row">
        <RoundPicker key={only ?? "all"} total={total ?? 0} value={only} onChange={setOnly} />
        <label className={styles.failed}>
          <input type="checkbox" checked={failed} onChange={(event) => setFailed(event.target.checked)} />
          {t("rounds.failed")}
        </label>
      </div>
      {total !== undefined && total > 1 && (
        <RoundStrip total={total} failed={faulty.data ?? []} chosen={only} onChoose={setOnly} />
      )}
      {rounds.error && <ErrorNote error={rounds.error} retry={() => void rounds.refetch()} />}
      {rounds.isPending && <Loading />}
      {rounds.data && nodes.length === 0 && <p className="muted">{t("rounds.none")}</p>}
      {nodes.length > 0 && (
        <RoundRows
          nodes={nodes}
          selected={selected}
          onSelect={onSelect}
          onEnd={() => {
            if (rounds.hasNextPage && !rounds.isFetchingNextPage) void rounds.fetchNextPage();
          }}
        />
      )}
    </section>
  );
}

function RoundRows(props: {
  nodes: readonly NodeHead[];
  selected: string | undefined;
  onSelect: (nodeKey: string) => void;
  onEnd: () => void;
}): ReactNode {
  const { nodes, selected, onSelect, onEnd } = props;
  const { t } = useLanguage();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: nodes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const visible = rows.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= nodes.length - 10) onEnd();
  }, [last, nodes.length]);
  return (
    <div ref={scroller} className={styles.rows} role="group" aria-label={t("rounds.title")} tabIndex={0}>
      <ol className={styles.space} style={{ height: rows.getTotalSize() }}>
        {visible.map((item) => {
          const node = nodes[item.index]!;
          return (
            <li
              key={node.nodeKey}
              className={styles.item}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                className={styles.row}
                aria-pressed={node.nodeKey === selected}
                onClick={() => onSelect(node.nodeKey)}
              >
                <span className="number muted">{roundOf(node.nodeKey)}</span>
                <Status status={node.status} compact />
                <span className={styles.key}>{node.nodeId}</span>
                <span className="muted">
                  <Duration from={node.startedAt} to={node.completedAt} />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function RoundPicker(props: {
  total: number;
  value: number | undefined;
  onChange: (round: number | undefined) => void;
}): ReactNode {
  const { t } = useLanguage();
  const [text, setText] = useState(props.value === undefined ? "" : String(props.value));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onChange(text === "" ? undefined : Number(text));
  };
  return (
    <form className="row" onSubmit={submit}>
      <label htmlFor="round" className="small">
        {t("rounds.one")}
      </label>
      <input
        id="round"
        type="number"
        className={styles.number}
        min={0}
        max={Math.max(0, props.total - 1)}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          if (event.target.value === "") props.onChange(undefined);
        }}
      />
      <button type="submit">{t("rounds.go")}</button>
    </form>
  );
}
