import { type Locale, locales } from "@millrace/contract/locales";

/** The first language of the browser's list that there is; its order is taken as it is written. */
export function localeOfBrowser(header: string | undefined): Locale {
  const wanted = (header ?? "").slice(0, 200).split(",");
  for (const entry of wanted) {
    const tag = entry.split(/[;-]/, 1)[0]!.trim().toLowerCase();
    const found = locales.find((locale) => locale === tag);
    if (found) return found;
  }
  return "en";
}
