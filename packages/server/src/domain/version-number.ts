/** `YYYYMMDD` in UTC: the first half of a flow's version. */
export function versionDay(now: Date): string {
  return now.toISOString().slice(0, 10).replaceAll("-", "");
}

/** `YYYYMMDD.N`: the flow's N-th version of the day. `latest` is the highest N so far, 0 where there is none. */
export function nextVersion(day: string, latest: number): string {
  return `${day}.${latest + 1}`;
}
