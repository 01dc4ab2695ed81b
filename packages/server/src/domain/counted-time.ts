import { Refusal } from "./refusal.ts";
import { firstIdAt } from "./run-filters.ts";

/** A stretch of time in whole minutes, as ids of runs. */
export interface CountedTime {
  readonly fromMs: number;
  /** The first moment that does not belong to it. */
  readonly endMs: number;
  readonly lowestId: string;
  readonly endId: string;
}

export const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** Whole minutes, so that those who ask in the same minute ask the same. */
export function toCountedTime(
  { fromMs, toMs }: { readonly fromMs: number | undefined; readonly toMs: number | undefined },
  {
    nowMs,
    defaultMs,
    maxDays,
  }: { readonly nowMs: number; readonly defaultMs: number; readonly maxDays: number },
): CountedTime {
  const last = Math.min(toMs ?? nowMs, nowMs);
  const from = Math.floor((fromMs ?? last - defaultMs) / MINUTE_MS) * MINUTE_MS;
  const end = Math.max(from, (Math.floor(last / MINUTE_MS) + 1) * MINUTE_MS);
  if (end - from > maxDays * DAY_MS + MINUTE_MS) {
    const message = `must not be more than ${maxDays} day${maxDays === 1 ? "" : "s"} before the end of the time`;
    throw new Refusal("invalid_query", { issues: [{ path: ["filter[createdAt][from]"], message }] });
  }
  return { fromMs: from, endMs: end, lowestId: firstIdAt(from), endId: firstIdAt(end) };
}

/** The lowest id of each minute. */
export function minuteIds({ fromMs, endMs }: CountedTime): string[] {
  const ids: string[] = [];
  for (let at = fromMs; at < endMs; at += MINUTE_MS) ids.push(firstIdAt(at));
  return ids;
}
