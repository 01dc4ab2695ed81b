import { type ReactNode, useSyncExternalStore } from "react";
import type { Locale } from "@millrace/contract/locales";
import { useLanguage } from "../texts/texts.tsx";

/** One clock for the whole page: every age on it moves at once, once a second, and only while somebody looks. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    for (const tell of listeners) tell();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

const formats = new Map<string, Intl.RelativeTimeFormat>();

function relative(locale: Locale, differenceMs: number): string {
  const format =
    formats.get(locale) ??
    formats
      // Narrow, a minute is an "m" in most languages, which they take for a metre.
      .set(
        locale,
        new Intl.RelativeTimeFormat(locale, { style: locale === "en" ? "narrow" : "short", numeric: "auto" }),
      )
      .get(locale)!;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(differenceMs) >= size) ?? UNITS[3];
  return format.format(Math.trunc(differenceMs / size), unit);
}

const fullFormats = new Map<string, Intl.DateTimeFormat>();

export function fullTime(locale: Locale, value: string): string {
  const format =
    fullFormats.get(locale) ??
    fullFormats
      .set(locale, new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }))
      .get(locale)!;
  return format.format(new Date(value));
}

/** How long ago, or how far ahead; the moment itself on request. */
export function Ago({ value }: { value: string }): ReactNode {
  const { locale } = useLanguage();
  const current = useNow();
  return (
    <time dateTime={value} title={fullTime(locale, value)}>
      {relative(locale, new Date(value).getTime() - current)}
    </time>
  );
}

export function FullTime({ value }: { value: string }): ReactNode {
  const { locale } = useLanguage();
  return <time dateTime={value}>{fullTime(locale, value)}</time>;
}

const secondsFormats = new Map<string, Intl.NumberFormat>();

/** The page's language decides about point or comma. */
function secondsFormat(digits: number): Intl.NumberFormat {
  const { lang } = document.documentElement;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (
    secondsFormats.get(`${lang} ${digits}`) ??
    secondsFormats.set(`${lang} ${digits}`, new Intl.NumberFormat(lang, options)).get(`${lang} ${digits}`)!
  );
}

/** 12 ms, 3.4 s, 2 m 05 s, 1 h 12 m, 3 d 4 h. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) {
    return `${secondsFormat(ms < 10_000 ? 2 : 1).format(ms / 1_000)} s`;
  }
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}

/** From a start to an end; while there is none, up to now. */
export function Duration({ from, to }: { from: string; to: string | undefined }): ReactNode {
  return to === undefined ? (
    <Running from={from} />
  ) : (
    <span className="number">{span(from, Date.parse(to))}</span>
  );
}

function Running({ from }: { from: string }): ReactNode {
  return <span className="number">{span(from, useNow())}</span>;
}

function span(from: string, end: number): string {
  return durationText(end - Date.parse(from));
}
