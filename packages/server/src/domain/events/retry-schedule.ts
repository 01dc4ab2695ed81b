const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between the ten attempts of a delivery, about 75 hours in all. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** How long until the next attempt, or undefined after the last one. `random` is in [0, 1). */
export function retryDelayMs(
  attempts: number,
  {
    random,
    retryAfterMs = 0,
    delaysMs,
  }: { random: number; retryAfterMs?: number; delaysMs: readonly number[] },
): number | undefined {
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return undefined;
  const jittered = Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
  return Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** `Retry-After` in seconds or as a date; undefined where it is neither. */
export function parseRetryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
