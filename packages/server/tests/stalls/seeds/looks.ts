import type { Case } from "../case.ts";
import { inLine, step } from "../graphs.ts";
import type { Recipe } from "../recipes.ts";

/** Runs that end at once and hold what is expensive to look at: to make a test of, to compare, to show. */
export const lookSeeds: readonly Case[] = [
  held("a text that is almost an address", { text: { $text: ".", times: 400_000, begin: "a@", end: " " } }),
  held("a text of lines that end in spaces", { text: { $text: "a \n", times: 130_000 } }),
  held("many values below a key of 100,000 letters", {
    [`k${"e".repeat(100_000)}y`]: { $keys: "k", times: 5_000, value: 1.5 },
  }),
  held("many values below many long keys", { all: below(40, { $list: 1.5, times: 5_000 }) }),
  held("many different texts", { texts: { $texts: "text ", times: 30_000 } }),
  held("long texts, each just small enough to be written in one go", {
    texts: { $list: { $text: "ä", times: 45_000 }, times: 20 },
  }),
];

function below(depth: number, value: Recipe): Recipe {
  return depth === 0 ? value : { [`${"k".repeat(900)}${depth}`]: below(depth - 1, value) };
}

function held(name: string, data: { readonly [key: string]: Recipe }): Case {
  const graph = inLine(step("keep", "set", { values: { kept: true } }));
  return { kind: "flows", name, action: "flow", graph, payload: { data }, looked: true };
}
