import { locales } from "@millrace/contract/locales";
import { expect, it } from "vitest";
import { CLAUSES, SENTENCES } from "../../src/http/presenters/why-texts.ts";
import { CLAUSES as FINDINGS } from "../../src/operations/doctor/finding-texts.ts";

it("says the same in every language: each has the same places to fill", () => {
  const placesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
  for (const [name, texts] of Object.entries({ ...SENTENCES, ...CLAUSES, ...FINDINGS })) {
    for (const locale of locales)
      expect({ name, locale, places: placesOf(texts[locale]) }).toEqual({
        name,
        locale,
        places: placesOf(texts.en),
      });
  }
});
