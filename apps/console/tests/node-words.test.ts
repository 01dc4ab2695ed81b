import { expect, it } from "vitest";
import { catalogueSentences } from "../src/texts/node-types/catalogue.ts";
import { sentencesIn } from "../src/texts/node-types/sentences.ts";

const namesIn = (text: string) => [...text.matchAll(/`[^`]*`/g)].map(([name]) => name).toSorted();

it.each(Object.entries(sentencesIn))(
  "what the catalogue of node types says is said in %s, with the same names",
  async (_, load) => {
    const translated = await load();
    expect(Object.keys(translated).toSorted()).toEqual(catalogueSentences.toSorted());
    for (const [english, other] of Object.entries(translated))
      expect([english, namesIn(other)]).toEqual([english, namesIn(english)]);
  },
);
