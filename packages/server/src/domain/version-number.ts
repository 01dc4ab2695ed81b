/** `YYYYMMDD` in UTC: the first half of a flow's version. */
export function versionDay(now: Date): string {
  return now.toISOString().slice(0, 10).replaceAll("-", "");
}

/** `YYYYMMDD.N`: the flow's N-th version of the day. `latest` is the highest N so far, 0 where there is none. */
export function nextVersion(day: string, latest: number): string {
  return `${day}.${latest + 1}`;
}

const TEST = "test-";

/** Of a draft that is executed without being published; lists of versions leave it out. */
export function testVersion(hash: string): string {
  return TEST + hash.slice(0, 16);
}

export function isTestVersion(version: string): boolean {
  return version.startsWith(TEST);
}
