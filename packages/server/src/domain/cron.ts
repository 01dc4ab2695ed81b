import { Cron } from "croner";

export const DEFAULT_TIMEZONE = "UTC";

/** Why a schedule cannot be used, if it cannot. */
export function scheduleProblem(
  cron: string,
  timezone: string,
): { field: "cron" | "timezone"; message: string } | undefined {
  try {
    Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    return { field: "timezone", message: "unknown time zone; use a name such as Europe/Istanbul" };
  }
  try {
    // Five fields repeat within every few years, so the day one looks from makes no difference.
    if (nextScheduledTime(cron, timezone, new Date(0)) === null)
      return { field: "cron", message: "never happens" };
  } catch {
    return {
      field: "cron",
      message: 'must have five fields such as "0 3 * * *": minute, hour, day, month, weekday',
    };
  }
  return undefined;
}

/** The first time after `after`, or null where there is none. */
export function nextScheduledTime(cron: string, timezone: string, after: Date): Date | null {
  return new Cron(cron, { timezone, mode: "5-part" }).nextRun(after);
}

/** The first times after `after`. */
export function nextScheduledTimes(cron: string, timezone: string, after: Date, count: number): Date[] {
  return new Cron(cron, { timezone, mode: "5-part" }).nextRuns(count, after);
}
