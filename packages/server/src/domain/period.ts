/** Both ends belong to the period; without an end it lasts until now and on. */
export interface Period {
  readonly fromMs: number;
  readonly toMs?: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNIT_MS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };
const NAMED_MS: Record<string, number> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  year: 365 * DAY_MS,
};

/** `today` and `yesterday` are days of UTC, everything else is that long back from now. */
export function toPeriod(text: string, nowMs: number): Period {
  const midnightMs = nowMs - (nowMs % DAY_MS);
  if (text === "today") return { fromMs: midnightMs };
  if (text === "yesterday") return { fromMs: midnightMs - DAY_MS, toMs: midnightMs - 1 };
  const lengthMs = NAMED_MS[text] ?? Number(text.slice(0, -1)) * (UNIT_MS[text.at(-1)!] ?? Number.NaN);
  if (Number.isNaN(lengthMs)) throw new RangeError(`${text} is not a period`);
  return { fromMs: nowMs - lengthMs };
}
