import type { Locale } from "@millrace/contract/locales";

const UNITS = ["B", "KB", "MB", "GB"];

export function sizeText(bytes: number, locale: Locale): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value.toLocaleString(locale, { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 })} ${UNITS[unit]}`;
}
