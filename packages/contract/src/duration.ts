const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30s`, `5m`, `1h`, `2d` in milliseconds; not a number where the text is none of these. */
export function delayMs(text: string): number {
  const match = /^(\d+)([smhd])$/.exec(text);
  return match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : Number.NaN;
}
