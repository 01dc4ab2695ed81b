import { createContext, type ReactNode, use, useMemo } from "react";
import { type Locale, locales } from "@millrace/contract/locales";
import { type Dictionary, format, type Say, type TextKey, type Values } from "./dictionary.ts";

export type { Dictionary, TextKey };

const KEY = "millrace.locale";

/** Each language named in itself. */
export const localeNames: Readonly<Record<Locale, string>> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  tr: "Türkçe",
};

const loaders: Readonly<Record<Locale, () => Promise<Dictionary>>> = {
  en: async () => (await import("./en.ts")).en,
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  fr: async () => (await import("./fr.ts")).fr,
  tr: async () => (await import("./tr.ts")).tr,
};

/** What was chosen here, else what the browser asks for. */
export function readLocale(): Locale {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.split("-")[0])];
  return wanted.map((tag) => locales.find((locale) => locale === tag)).find(Boolean) ?? "en";
}

export function storeLocale(locale: Locale): void {
  localStorage.setItem(KEY, locale);
}

export async function loadDictionary(locale: Locale): Promise<Dictionary> {
  return loaders[locale]();
}

interface Language {
  readonly locale: Locale;
  readonly t: Say;
  readonly choose: (locale: Locale) => void;
}

const LanguageContext = createContext<Language | undefined>(undefined);

export function LanguageProvider(props: {
  locale: Locale;
  dictionary: Dictionary;
  choose: (locale: Locale) => void;
  children: ReactNode;
}): ReactNode {
  const { locale, dictionary, choose, children } = props;
  const language = useMemo(
    () => ({
      locale,
      choose,
      t: (key: TextKey, values: Values = {}) => format(dictionary[key], values),
    }),
    [locale, dictionary, choose],
  );
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export function useLanguage(): Language {
  const language = use(LanguageContext);
  if (!language) throw new Error("There is no LanguageProvider above");
  return language;
}

export function useT(): Language["t"] {
  return useLanguage().t;
}
