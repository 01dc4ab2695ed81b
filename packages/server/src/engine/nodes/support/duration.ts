import { z } from "zod";

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)([smhd]?)$/;
const MAX_MS = 365 * UNIT_MS.d;

/** `30s 5m 1h 2d`, or seconds; undefined for anything else and for more than a year. */
export function parseDurationMs(value: string | number): number | undefined {
  const match = DURATION.exec(String(value).trim());
  if (match === null) return undefined;
  const unitMs = UNIT_MS[(match[2] || "s") as keyof typeof UNIT_MS];
  const durationMs = Math.round(Number(match[1]) * unitMs);
  return durationMs <= MAX_MS ? durationMs : undefined;
}

export function durationInput() {
  return z
    .union([z.string(), z.number()])
    .refine(
      (value) => value === "" || parseDurationMs(value) !== undefined,
      "Use a number of seconds or a duration such as 30s, 5m, 1h or 2d, at most 365d",
    );
}
