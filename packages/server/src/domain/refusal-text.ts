import { errorCatalogue } from "@millrace/contract/errors";
import type { Locale } from "@millrace/contract/locales";
import { fillText } from "./fill-text.ts";
import type { Refusal } from "./refusal.ts";

/** What a refusal says to people: `{name}` in a text of the catalogue stands for a parameter of the message. */
export function refusalText({ code, details: { messageParams = {} } }: Refusal, locale: Locale): string {
  return fillText(errorCatalogue[code].message[locale], messageParams);
}
