import { type ReactNode, useMemo } from "react";
import type { RunDetail } from "@millrace/client";
import type { NodeHead } from "../../api/nodes.ts";
import { isTerminal } from "../../api/runs.ts";
import { foldTime } from "../../lib/folded-time.ts";
import { useT } from "../../texts/texts.tsx";
import { Status, statusText, toneOf } from "../../ui/status.tsx";
import { Duration, durationText, useNow } from "../../ui/time.tsx";
import styles from "./timeline.module.css";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly selected: string | undefined;
  readonly onSelect: (nodeKey: string) => void;
}

/** Each node as a bar from its start to its end. Time in which nothing was done is folded. */
export function Timeline({ run, nodes, selected, onSelect }: Props): ReactNode {
  const t = useT();
  const now = useNow();
  const from = Date.parse(run.createdAt);
  const to = run.completedAt
    ? Date.parse(run.completedAt)
    : isTerminal(run.status)
      ? Date.parse(run.updatedAt)
      : Math.max(now, from + 1);
  const scale = useMemo(() => foldTime(nodes, from, to), [nodes, from, to]);
  if (nodes.length === 0) return null;
  return (
    <div className={styles.timeline}>
      <ol className={styles.rows}>
        {nodes.map((node) => {
          const start = scale.place(Date.parse(node.startedAt));
          const end = scale.place(node.completedAt ? Date.parse(node.completedAt) : to);
          return (
            <li key={node.nodeKey}>
              <button
                type="button"
                className={styles.row}
                aria-pressed={node.nodeKey === selected}
                onClick={() => onSelect(node.nodeKey)}
              >
                <span className={styles.name}>
                  <Status status={node.status} compact />
                  <span className={styles.key}>{node.nodeKey}</span>
                </span>
                <span className={styles.track}>
                  <span
                    className={styles.bar}
                    data-tone={toneOf(node.status)}
                    title={t(statusText(node.status))}
                    style={{ left: `${start * 100}%`, width: `${Math.max((end - start) * 100, 0.4)}%` }}
                  />
                </span>
                <span className={styles.duration}>
                  <Duration from={node.startedAt} to={node.completedAt} />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {scale.folds.length > 0 && (
        <p className={styles.folds}>
          {t("run.folded", {
            time: durationText(scale.folds.reduce((sum, { leftOutMs }) => sum + leftOutMs, 0)),
          })}
        </p>
      )}
    </div>
  );
}
