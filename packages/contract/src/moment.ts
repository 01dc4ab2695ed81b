const DATE = [
  String.raw`(?<year>\d{4})`,
  String.raw`(?:-(?<month>\d\d)(?:-(?<day>\d\d))?|(?<basicMonth>\d\d)(?<basicDay>\d\d)`,
  String.raw`|-?W(?<week>\d\d)(?:-?(?<weekday>\d))?|-?(?<yearDay>\d{3}))?`,
].join("");
const TIME = String.raw`(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,30}))?`;
/** A plus sign that was not escaped in an address arrives as a space. */
const OFFSET = String.raw`(?:(?<utc>Z)|(?<sign>[+ -])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)?`;
const MOMENT = new RegExp(`^${DATE}(?:[T ]${TIME}${OFFSET})?$`, "i");

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An ISO 8601 instant or date in any of its forms; without an offset it is UTC. `undefined` where the text is neither. */
export function parseMoment(text: string): Date | undefined {
  const parts = MOMENT.exec(text)?.groups;
  if (!parts) return undefined;
  const date = dayMs(parts);
  const time = timeMs(parts);
  const offset = offsetMs(parts);
  if (date === undefined || time === undefined || offset === undefined) return undefined;
  return new Date(date + time - offset);
}

type Parts = Readonly<Record<string, string | undefined>>;

function dayMs({
  year,
  month,
  day,
  basicMonth,
  basicDay,
  week,
  weekday,
  yearDay,
}: Parts): number | undefined {
  if (yearDay !== undefined) return calendarDay(Number(year), 1, Number(yearDay), year);
  if (week === undefined)
    return calendarDay(Number(year), Number(month ?? basicMonth ?? 1), Number(day ?? basicDay ?? 1));
  const numbers = { week: Number(week), weekday: Number(weekday ?? 1) };
  if (numbers.week < 1 || numbers.weekday < 1 || numbers.weekday > 7) return undefined;
  const monday = firstMonday(Number(year)) + (numbers.week - 1) * 7 * DAY_MS;
  return monday < firstMonday(Number(year) + 1) ? monday + (numbers.weekday - 1) * DAY_MS : undefined;
}

/** A day that its month does not have would roll over; with `year` it may, up to the end of that year. */
function calendarDay(year: number, month: number, day: number, within?: string): number | undefined {
  // `Date.UTC` takes the years 0 to 99 for those of the last century.
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const stays =
    within === undefined ? date.getUTCMonth() === month - 1 && date.getUTCDate() === day : day >= 1;
  return stays && date.getUTCFullYear() === year ? date.getTime() : undefined;
}

/** The Monday of the week that holds the fourth of January. */
function firstMonday(year: number): number {
  const fourth = calendarDay(year, 1, 4)!;
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

/** A fraction belongs to the smallest unit that is given; 24:00 is the end of the day, and a 60th second a leap second. */
function timeMs({ hour = "0", minute, second, fraction }: Parts): number | undefined {
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)];
  if (hours > 24 || minutes > 59 || seconds > 60) return undefined;
  const unit = second !== undefined ? SECOND_MS : minute !== undefined ? MINUTE_MS : HOUR_MS;
  const rest = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * unit);
  const time = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + rest;
  return time <= DAY_MS || seconds === 60 ? time : undefined;
}

function offsetMs({ sign, offsetHour = "0", offsetMinute = "0" }: Parts): number | undefined {
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offset = Number(offsetHour) * HOUR_MS + Number(offsetMinute) * MINUTE_MS;
  return sign === "-" ? -offset : offset;
}
