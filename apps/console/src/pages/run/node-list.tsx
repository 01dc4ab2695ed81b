import type { ReactNode } from "react";
import type { RunDetail } from "@millrace/client";
import type { NodeHead } from "../../api/nodes.ts";
import { useLanguage } from "../../texts/texts.tsx";
import { Status } from "../../ui/status.tsx";
import { Duration, fullTime } from "../../ui/time.tsx";
import styles from "./node-list.module.css";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly selected: string | undefined;
  readonly onSelect: (nodeKey: string) => void;
}

/** The nodes in the order in which they began. */
export function NodeList({ nodes, selected, onSelect }: Props): ReactNode {
  const { t, locale } = useLanguage();
  if (nodes.length === 0) return null;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t("node.node")}</th>
          <th scope="col">{t("runs.status")}</th>
          <th scope="col">{t("node.type")}</th>
          <th scope="col">{t("node.started")}</th>
          <th scope="col">{t("runs.duration")}</th>
          <th scope="col">{t("node.attempts")}</th>
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <tr key={node.nodeKey} data-selected={node.nodeKey === selected}>
            <td>
              <button
                type="button"
                className={styles.name}
                aria-pressed={node.nodeKey === selected}
                onClick={() => onSelect(node.nodeKey)}
              >
                {node.nodeKey}
              </button>
            </td>
            <td>
              <Status status={node.status} />
            </td>
            <td className="muted">{node.type}</td>
            <td className="muted number">{fullTime(locale, node.startedAt)}</td>
            <td>
              <Duration from={node.startedAt} to={node.completedAt} />
            </td>
            <td className="number">{node.attempts ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
