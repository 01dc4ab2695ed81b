import { expect, it } from "vitest";
import { portions } from "../../src/storage/portions.ts";

const cut = (texts: string[]) => [...portions(texts, (text) => text.length, 5)];

it("a batch is cut where it would become too large, in its order", () => {
  expect(cut(["aa", "bbb", "c", "dddd", "ee"])).toEqual([["aa", "bbb"], ["c", "dddd"], ["ee"]]);
});

it("an item that is too large alone goes alone", () => {
  expect(cut(["a", "bbbbbbbb", "c"])).toEqual([["a"], ["bbbbbbbb"], ["c"]]);
});

it("nothing makes no statement", () => {
  expect(cut([])).toEqual([]);
});
