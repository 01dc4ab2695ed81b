let second = Number.NaN;
let upToSecond = "";

/** `toISOString` of a moment, which takes as long as a whole node where it is asked for with every run. */
export function isoText(ms: number): string {
  const itsSecond = Math.floor(ms / 1000);
  if (itsSecond !== second) {
    upToSecond = new Date(itsSecond * 1000).toISOString().slice(0, -4);
    second = itsSecond;
  }
  return `${upToSecond}${String(ms - itsSecond * 1000).padStart(3, "0")}Z`;
}
