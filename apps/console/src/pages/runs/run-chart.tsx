import { type ReactNode, useMemo } from "react";
import type { RunStatus } from "@millrace/client";
import { useRunCounts } from "../../api/runs.ts";
import type { RunsSearch } from "../../search.ts";
import { useLanguage } from "../../texts/texts.tsx";
import styles from "./run-chart.module.css";

interface Bar {
  readonly from: number;
  readonly good: number;
  readonly bad: number;
  readonly other: number;
}

const BARS = 60;
const BAD: ReadonlySet<RunStatus> = new Set(["FAILED", "CRASHED", "TIMED_OUT"]);

/** What became of the runs of each moment; choosing a bar shows the runs of that time. */
export function RunChart(props: { search: RunsSearch; onChange: (changed: RunsSearch) => void }): ReactNode {
  const { search, onChange } = props;
  const { t, locale } = useLanguage();
  const counts = useRunCounts(search.flow, search.period ?? "1h").data;
  const bars = useMemo(() => (counts ? gather(counts) : undefined), [counts]);
  if (!bars || bars.bars.every(({ good, bad, other }) => good + bad + other === 0)) return null;
  const most = Math.max(...bars.bars.map(({ good, bad, other }) => good + bad + other));
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", dateStyle: "short" });
  return (
    <div className={styles.chart} role="group" aria-label={t("chart.title")}>
      {bars.bars.map(({ from, good, bad, other }) => {
        const total = good + bad + other;
        const to = new Date(from + bars.widthMs).toISOString();
        const chosen = search.from === new Date(from).toISOString();
        return (
          <button
            key={from}
            type="button"
            className={styles.bar}
            disabled={total === 0}
            aria-pressed={chosen}
            tabIndex={total === 0 ? -1 : 0}
            aria-label={t("chart.bar", { time: time.format(from), total, failed: bad })}
            title={t("chart.bar", { time: time.format(from), total, failed: bad })}
            onClick={() =>
              onChange(
                chosen
                  ? { from: undefined, to: undefined }
                  : { from: new Date(from).toISOString(), to, period: undefined },
              )
            }
          >
            <span className={styles.other} style={{ height: `${(other / most) * 100}%` }} />
            <span className={styles.bad} style={{ height: `${(bad / most) * 100}%` }} />
            <span className={styles.good} style={{ height: `${(good / most) * 100}%` }} />
          </button>
        );
      })}
    </div>
  );
}

function gather(counts: NonNullable<ReturnType<typeof useRunCounts>["data"]>): {
  bars: Bar[];
  widthMs: number;
} {
  const start = Date.parse(counts.from);
  const widthMs = Math.max(60_000, Math.ceil((Date.parse(counts.to) - start) / BARS / 60_000) * 60_000);
  const bars = Array.from({ length: BARS }, (_, index) => ({
    from: start + index * widthMs,
    good: 0,
    bad: 0,
    other: 0,
  }));
  for (const { minute, counts: byStatus } of counts.minutes) {
    const bar = bars[Math.floor((Date.parse(minute) - start) / widthMs)];
    if (!bar) continue;
    for (const [status, count] of Object.entries(byStatus) as [RunStatus, number][])
      bar[status === "COMPLETED" ? "good" : BAD.has(status) ? "bad" : "other"] += count;
  }
  return { bars, widthMs };
}
