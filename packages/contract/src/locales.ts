export const locales = ["en", "tr", "es", "fr", "de"] as const;
export type Locale = (typeof locales)[number];

/** One text in every language: leaving one out does not compile. */
export type Texts = Readonly<Record<Locale, string>>;

export function toLocale(text: string | undefined): Locale {
  return locales.find((locale) => locale === text) ?? "en";
}
