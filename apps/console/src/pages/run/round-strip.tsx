import { type ReactNode, useMemo } from "react";
import type { NodeHead } from "../../api/nodes.ts";
import { useLanguage } from "../../texts/texts.tsx";
import styles from "./rounds-panel.module.css";

const MAX_CELLS = 60;

/** The round a node key inside of a container belongs to: the last number in brackets. */
export function roundOf(nodeKey: string): number {
  return Number(/\[(\d+)\]$/.exec(nodeKey)?.[1] ?? 0);
}

/** All rounds of a container in one line, however many: where they failed can be seen, and chosen. */
export function RoundStrip(props: {
  total: number;
  failed: readonly NodeHead[];
  chosen: number | undefined;
  onChoose: (round: number | undefined) => void;
}): ReactNode {
  const { total, failed, chosen, onChoose } = props;
  const { t, locale } = useLanguage();
  const width = Math.ceil(total / MAX_CELLS);
  const cells = useMemo(() => {
    const made = Array.from({ length: Math.ceil(total / width) }, (_, at) => ({
      from: at * width,
      to: Math.min(total, (at + 1) * width) - 1,
      failed: new Set<number>(),
    }));
    for (const { nodeKey } of failed) {
      const round = roundOf(nodeKey);
      made[Math.floor(round / width)]?.failed.add(round);
    }
    return made;
  }, [total, width, failed]);
  const failedRounds = cells.reduce((sum, cell) => sum + cell.failed.size, 0);
  return (
    <div
      className={styles.strip}
      role="img"
      aria-label={t("rounds.cell", {
        from: 0,
        to: (total - 1).toLocaleString(locale),
        failed: failedRounds.toLocaleString(locale),
      })}
      // For a pointer; everybody else has the field beside it, and the failed ones first in the list.
      onClick={(event) => {
        const cell = cells[Number((event.target as HTMLElement).dataset.cell ?? Number.NaN)];
        if (cell) onChoose(isIn(cell, chosen) ? undefined : firstOf(cell));
      }}
    >
      {cells.map((cell, index) => (
        <span
          key={cell.from}
          data-cell={index}
          data-failed={cell.failed.size > 0}
          data-chosen={isIn(cell, chosen)}
          title={t("rounds.cell", {
            from: cell.from.toLocaleString(locale),
            to: cell.to.toLocaleString(locale),
            failed: cell.failed.size,
          })}
        />
      ))}
    </div>
  );
}

function isIn(cell: { readonly from: number; readonly to: number }, round: number | undefined): boolean {
  return round !== undefined && round >= cell.from && round <= cell.to;
}

/** The first that failed, else the first of all. */
function firstOf({ from, failed }: { readonly from: number; readonly failed: ReadonlySet<number> }): number {
  return failed.size > 0 ? Math.min(...failed) : from;
}
