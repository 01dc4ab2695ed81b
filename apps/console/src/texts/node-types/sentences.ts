import type { Locale } from "@millrace/contract/locales";

/** What the catalogue of node types says in English, and how another language says it. */
export type Sentences = Readonly<Record<string, string>>;

export const sentencesIn: Readonly<Record<Exclude<Locale, "en">, () => Promise<Sentences>>> = {
  de: async () => (await import("./de.ts")).sentences,
  es: async () => (await import("./es.ts")).sentences,
  fr: async () => (await import("./fr.ts")).sentences,
  tr: async () => (await import("./tr.ts")).sentences,
};
