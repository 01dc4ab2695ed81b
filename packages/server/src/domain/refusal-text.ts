import { errorCatalogue } from "@millrace/contract/errors";
import type { Locale } from "@millrace/contract/locales";
import type { Refusal } from "./refusal.ts";

/** What a refusal says to people: `{name}` in a text of the catalogue stands for a parameter of the message. */
export function refusalText({ code, details: { messageParams = {} } }: Refusal, locale: Locale): string {
  return errorCatalogue[code].message[locale].replaceAll(
    /\{(\w+)\}/g,
    (place, name: string) => messageParams[name] ?? place,
  );
}
