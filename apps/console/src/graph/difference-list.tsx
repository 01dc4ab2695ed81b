import type { ReactNode } from "react";
import type { FlowDifference } from "@millrace/client";
import { differenceWords } from "../lib/difference-words.ts";
import { useT } from "../texts/texts.tsx";
import styles from "./difference-list.module.css";

/** What another version, or the draft, does differently: one line each. */
export function DifferenceList({ changes }: { changes: readonly FlowDifference[] }): ReactNode {
  const t = useT();
  return (
    <ul className={styles.changes}>
      {changes.map((one) => (
        <li key={`${one.what} ${one.id} ${one.change} ${one.text}`} data-change={one.change}>
          <strong>{t(`compare.${one.change}`)}</strong> {differenceWords(t, one)}
        </li>
      ))}
    </ul>
  );
}
