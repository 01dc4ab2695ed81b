import { type KeyboardEvent, type ReactNode, useMemo, useRef } from "react";
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

/** About so many: a bar is some whole minutes wide. */
const BARS = 60;
const DAY_MS = 86_400_000;
const BAD: ReadonlySet<RunStatus> = new Set(["FAILED", "CRASHED", "TIMED_OUT"]);

/**
 * What became of the runs of each moment. Choosing a bar shows the runs of that time; drawing over several, or Shift and
 * a click, those of the time between.
 */
export function RunChart(props: { search: RunsSearch; onChange: (changed: RunsSearch) => void }): ReactNode {
  const { search, onChange } = props;
  const { t, locale } = useLanguage();
  const pressed = useRef<number>(undefined);
  const counts = useRunCounts(search.flow, search.period ?? "1h").data;
  const bars = useMemo(() => (counts ? gather(counts) : undefined), [counts]);
  // It takes its place from the beginning: nothing below it moves when it comes.
  if (!bars) return <div className={styles.room} />;
  const highest = Math.max(0, ...bars.bars.map(({ good, bad, other }) => good + bad + other));
  const most = Math.max(1, highest);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", dateStyle: "short" });
  const choose = (one: number, other: number) => {
    const from = bars.bars[Math.min(one, other)]!.from;
    const to = bars.bars[Math.max(one, other)]!.from + bars.widthMs;
    const chosen = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    if (search.from === chosen.from && search.to === chosen.to) onChange({ from: undefined, to: undefined });
    else onChange(chosen);
  };
  const isChosen = (from: number) =>
    search.from !== undefined &&
    search.to !== undefined &&
    from >= Date.parse(search.from) &&
    from < Date.parse(search.to);
  // One stop for the keyboard, and arrows from there: sixty would keep everybody from the list.
  const filled = bars.bars.flatMap(({ good, bad, other }, index) => (good + bad + other > 0 ? [index] : []));
  const stop = filled.find((index) => isChosen(bars.bars[index]!.from)) ?? filled.at(-1);
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const at = barAt(event.target);
    if (at === undefined || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    event.preventDefault();
    const next =
      event.key === "ArrowRight"
        ? filled.find((index) => index > at)
        : filled.findLast((index) => index < at);
    event.currentTarget.querySelector<HTMLElement>(`[data-bar="${next}"]`)?.focus();
  };
  const clock = new Intl.DateTimeFormat(locale, {
    timeStyle: "short",
    ...(bars.spanMs > DAY_MS && { dateStyle: "short" }),
  });
  return (
    <div className={styles.room}>
      <div
        className={styles.chart}
        role="group"
        aria-label={t("chart.title")}
        onKeyDown={walk}
        onPointerDown={(event) => {
          pressed.current = barAt(event.target);
        }}
        onPointerUp={(event) => {
          const [start, end] = [pressed.current, barAt(event.target)];
          pressed.current = undefined;
          if (start !== undefined && end !== undefined && start !== end) choose(start, end);
        }}
      >
        {bars.bars.map(({ from, good, bad, other }, index) => {
          const total = good + bad + other;
          const text = t("chart.bar", { time: time.format(from), total, failed: bad });
          return (
            <button
              key={from}
              type="button"
              className={styles.bar}
              data-bar={index}
              aria-disabled={total === 0}
              aria-pressed={isChosen(from)}
              tabIndex={index === stop ? 0 : -1}
              aria-label={text}
              title={text}
              onClick={(event) => {
                const first = bars.bars.findIndex((bar) => isChosen(bar.from));
                if (event.shiftKey && first !== -1) choose(first, index);
                else if (total > 0) choose(index, index);
              }}
            >
              <span className={styles.other} style={{ height: `${(other / most) * 100}%` }} />
              <span className={styles.bad} style={{ height: `${(bad / most) * 100}%` }} />
              <span className={styles.good} style={{ height: `${(good / most) * 100}%` }} />
            </button>
          );
        })}
      </div>
      <p className={styles.scale} aria-hidden="true">
        <span>{clock.format(bars.bars[0]?.from)}</span>
        <span>max. {highest.toLocaleString(locale)}</span>
        <span>{clock.format(bars.end)}</span>
      </p>
    </div>
  );
}

function barAt(target: EventTarget): number | undefined {
  const bar = target instanceof Element ? target.closest<HTMLElement>("[data-bar]") : undefined;
  return bar ? Number(bar.dataset.bar) : undefined;
}

function gather(counts: NonNullable<ReturnType<typeof useRunCounts>["data"]>): {
  bars: Bar[];
  widthMs: number;
  spanMs: number;
  end: number;
} {
  const start = Date.parse(counts.from);
  const spanMs = Date.parse(counts.to) - start;
  const widthMs = Math.max(60_000, Math.floor(spanMs / BARS / 60_000) * 60_000);
  const bars = Array.from({ length: Math.ceil(spanMs / widthMs) }, (_, index) => ({
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
  return { bars, widthMs, spanMs, end: start + spanMs };
}
