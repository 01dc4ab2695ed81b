import type { FlowDifference, TestText } from "@millrace/client";
import { type Locale, locales } from "@millrace/contract/locales";
import { describe, expect, it } from "vitest";
import { differenceWords } from "../src/lib/difference-words.ts";
import { testWords, valueWords } from "../src/lib/test-words.ts";
import { de } from "../src/texts/de.ts";
import { en } from "../src/texts/en.ts";
import { es } from "../src/texts/es.ts";
import { fr } from "../src/texts/fr.ts";
import { type Dictionary, format, type Say, type TextKey } from "../src/texts/dictionary.ts";
import { tr } from "../src/texts/tr.ts";

const dictionaries: Readonly<Record<Locale, Dictionary>> = { en, de, es, fr, tr };
const say =
  (locale: Locale): Say =>
  (key, values = {}) =>
    format(dictionaries[locale][key], values);

describe("texts", () => {
  it.each(locales)("in %s speak of the same things as the English ones", (locale) => {
    const named = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
    for (const [key, text] of Object.entries(en))
      expect([key, ...named(dictionaries[locale][key as TextKey])]).toEqual([key, ...named(text)]);
  });

  it("take values as they are, whatever stands in them", () => {
    expect(format("{a} and {b}", { a: "{b}", b: "$&" })).toBe("{b} and $&");
    expect(format("{unknown}", {})).toBe("{unknown}");
  });
});

describe("differences of versions", () => {
  const node = { what: "node", id: "price", text: "" } as const;
  const cases: [Omit<FlowDifference, "text">, string, string][] = [
    [
      { ...node, change: "added", type: "set", label: "Price" },
      'Node "price" (Price), set',
      "Knoten „price“ (Price), set",
    ],
    [
      { ...node, change: "changed", field: "inputs.url", before: '"a"', after: '"b"' },
      'Node "price": input "url" changed from "a" to "b"',
      'Knoten „price“: Eingabe „url“ von "a" auf "b" geändert',
    ],
    [
      { ...node, change: "changed", field: "retry.maxAttempts", after: "2" },
      'Node "price": Max attempts set to 2',
      "Knoten „price“: Max. Versuche auf 2 gesetzt",
    ],
    [
      { ...node, change: "changed", field: "retry.on", before: "[503]" },
      'Node "price": retry.on removed, it was [503]',
      "Knoten „price“: retry.on entfernt, war [503]",
    ],
    [{ what: "edge", id: "a → b", change: "removed" }, "Edge a → b", "Kante a → b"],
    [
      { what: "setting", id: "onFailure", change: "added", after: '"flow_b"' },
      'Flow: onFailure set to "flow_b"',
      'Ablauf: onFailure auf "flow_b" gesetzt',
    ],
  ];

  it.each(cases)("are said in the language of the console: %j", (difference, english, german) => {
    const said = (locale: Locale) => differenceWords(say(locale), { text: "", ...difference });
    expect([said("en"), said("de")]).toEqual([english, german]);
    for (const locale of locales) expect(said(locale)).not.toMatch(/\{\w+\}/);
  });
});

describe("failures of tests", () => {
  const value: TestText = { code: "value", values: { path: "", expected: "nothing", actual: '"nothing"' } };

  it("are said in the language of the console", () => {
    expect(testWords(say("de"), value)).toBe('Ausgabe: nichts erwartet, "nothing" erhalten');
    expect(testWords(say("tr"), { code: "path-missing", values: { node: "ask" } })).toBe(
      "“ask” bekleniyordu ama başlamadı",
    );
    expect(valueWords(say("fr"), "nothing")).toBe("rien");
    const counted = { node: "fetch", expected: "1", actual: "2" };
    expect(testWords(say("es"), { code: "call-count", values: counted })).toBe(
      "calls.fetch: se esperaba 1, resultó 2",
    );
  });
});
