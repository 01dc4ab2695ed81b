// oxlint-disable-next-line no-control-regex -- what came from outside must not steer the terminal
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from outside as a terminal may show it: control characters become spaces, lines stay lines. */
export function plain(text: string): string {
  return text.replace(CONTROL, " ");
}

/** The same as one line of at most `length` characters. */
export function oneLine(text: string, length: number): string {
  const line = plain(text).replaceAll("\n", " ");
  return line.length <= length ? line : `${line.slice(0, Math.max(0, length - 1))}…`;
}

export function pretty(value: unknown): string {
  return plain(JSON.stringify(value, null, 2));
}

export function durationText(durationMs: number): string {
  if (durationMs < 1) return "<1 ms";
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  return durationMs < 60_000
    ? `${(durationMs / 1_000).toFixed(1)} s`
    : `${Math.floor(durationMs / 60_000)} m ${Math.round((durationMs % 60_000) / 1_000)} s`;
}
