import type { ReactNode } from "react";
import type { RunDetail } from "@millrace/client";
import type { NodeHead } from "../../api/nodes.ts";
import { useT } from "../../texts/texts.tsx";
import { durationText } from "../../ui/time.tsx";
import styles from "./scrubber.module.css";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly at: number | undefined;
  readonly onChange: (at: number | undefined) => void;
}

/** Goes back and forth through what happened, one beginning or end of a node at a time. */
export function Scrubber({ run, nodes, at, onChange }: Props): ReactNode {
  const t = useT();
  const from = Date.parse(run.createdAt);
  const moments = [
    ...new Set(
      nodes.flatMap(({ startedAt, completedAt }) => [startedAt, ...(completedAt ? [completedAt] : [])]),
    ),
  ]
    .map((moment) => Date.parse(moment) - from)
    .sort((one, other) => one - other);
  if (moments.length < 2) return null;
  const last = moments.length - 1;
  const place =
    at === undefined
      ? last
      : Math.max(
          0,
          moments.findLastIndex((moment) => moment <= at),
        );
  return (
    <div className={styles.scrubber}>
      <label htmlFor="scrubber">{t("run.scrubber")}</label>
      <input
        id="scrubber"
        type="range"
        min={0}
        max={last}
        value={place}
        aria-valuetext={durationText(moments[place]!)}
        onChange={(event) => {
          const chosen = Number(event.target.value);
          onChange(chosen === last ? undefined : moments[chosen]);
        }}
      />
      <output htmlFor="scrubber" className="number">
        {at === undefined ? t("run.now") : `+${durationText(moments[place]!)}`}
      </output>
    </div>
  );
}
