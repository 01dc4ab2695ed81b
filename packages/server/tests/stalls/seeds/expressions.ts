import type { Case } from "../case.ts";
import { inLine, step } from "../graphs.ts";
import type { Recipe } from "../recipes.ts";

/** Expressions that cost more than they seemed to. */
export const expressionSeeds: readonly Case[] = [
  expression("$contains of two texts", "$contains(data.text, data.mark)"),
  expression("$substringAfter a text", "$substringAfter(data.text, data.mark)"),
  expression("$split by a text", "$count($split(data.text, data.mark))"),
  expression("$substringBefore a text", "$substringBefore(data.text, data.mark)"),
  expression("$pad by a long text", "$length($pad('a', 10000, data.text))", {
    text: { $text: "ab", times: 20_000 },
  }),
  expression("$distinct of texts that look alike", "$count($distinct(data.texts))", {
    texts: { $texts: "a".repeat(1_000), times: 2_500 },
  }),
  expression("a text among texts that look alike", "$count(data.texts[$ = data.text])", {
    text: { $text: "a", times: 1_000, end: "x" },
    texts: { $texts: "a".repeat(1_000), times: 2_500 },
  }),
  expression("$lookup in many objects", "$lookup(data.list, data.key)", {
    key: { $text: "k", times: 1_000_000 },
    list: { $list: { a: 1 }, times: 100_000 },
  }),
  expression("$distinct of objects", "$count($distinct(data.objects))", {
    objects: { $list: { a: { b: { c: [1, 2, 3] } } }, times: 60_000 },
  }),
  expression("$distinct of texts", "$count($distinct(data.texts))", {
    texts: { $texts: "t", times: 200_000 },
  }),
  expression("a text in a list", "data.text in data.list", {
    text: "b",
    list: { $list: "a", times: 500_000 },
  }),
  expression("lists that are equal", "data.one = data.two", {
    one: { $list: { a: [1, { b: 2 }] }, times: 60_000 },
    two: { $list: { a: [1, { b: 2 }] }, times: 60_000 },
  }),
  expression("a path through lists of lists", Array(40).fill("data.list.id").join(" & "), {
    list: { $list: { $deep: "list", depth: 23, value: { a: 1 } }, times: 2_694 },
  }),
  expression("$merge of objects", "$merge(data.list)", { list: { $list: { a: 1, b: 2 }, times: 150_000 } }),
  expression("$keys of objects", "$keys(data.list)", { list: { $list: { a: 1, b: 2 }, times: 150_000 } }),
  expression("$string of a large value", "$length($string(data))", { list: { $numbers: 350_000 } }),
  expression("$trim of blanks", "$trim(data.blanks)", { blanks: { $text: " ", times: 2_000_000, end: "a" } }),
  expression("a path through lists", "data.list.a.b", {
    list: { $list: { a: [{ b: 1 }, { b: 2 }] }, times: 100_000 },
  }),
];

/** Two texts that look alike for a long time, unless other data is given. */
function expression(name: string, source: string, data?: { readonly [key: string]: Recipe }): Case {
  const alike = {
    text: { $text: "a", times: 1_900_000 },
    mark: { $text: "a", times: 900_000, middle: "b" },
  };
  const graph = inLine(step("do", "set", { values: { a: `{{ ${source} }}` } }));
  return { kind: "expressions", name, action: "flow", graph, payload: { data: data ?? alike } };
}
