const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const MAX_MS = 3_650 * UNIT_MS.d;

/** `30m 12h 90d 4w`; undefined for anything else and for more than ten years. */
export function parseLifetimeMs(text: string): number | undefined {
  const match = /^(\d{1,6})([mhdw])$/.exec(text);
  if (!match) return undefined;
  const lifetimeMs = Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  return lifetimeMs <= MAX_MS ? lifetimeMs : undefined;
}
