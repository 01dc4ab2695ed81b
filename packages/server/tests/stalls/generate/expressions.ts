import * as fc from "fast-check";
import type { FlowDeed } from "../case.ts";
import { fitted } from "../fitted.ts";
import { largeLists, largeObjects, largeTexts, values } from "./values.ts";
import { inLine, step } from "../graphs.ts";
import type { Recipe } from "../recipes.ts";

const MAX_PAYLOAD_BYTES = 2_900_000;
const MAX_SOURCE = 4_000;

const operators = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "<",
  "<=",
  ">",
  ">=",
  "=",
  "!=",
  "in",
  "&",
  "and",
  "or",
  "??",
  "?:",
  "~>",
];

/** Every function there is, with as many arguments as it takes. */
const functions: Readonly<Record<string, readonly number[]>> = {
  string: [1],
  number: [1],
  boolean: [1],
  not: [1],
  exists: [1],
  type: [1],
  length: [1],
  uppercase: [1],
  lowercase: [1],
  trim: [1],
  pad: [2, 3],
  substring: [2, 3],
  substringBefore: [2],
  substringAfter: [2],
  contains: [2],
  split: [2, 3],
  join: [1, 2],
  match: [2],
  replace: [3, 4],
  eval: [1],
  base64encode: [1],
  base64decode: [1],
  encodeUrl: [1],
  encodeUrlComponent: [1],
  decodeUrl: [1],
  decodeUrlComponent: [1],
  floor: [1],
  ceil: [1],
  abs: [1],
  round: [1, 2],
  sqrt: [1],
  power: [2],
  sum: [1],
  average: [1],
  max: [1],
  min: [1],
  formatNumber: [2],
  formatBase: [2],
  formatInteger: [2],
  parseInteger: [2],
  toMillis: [1],
  fromMillis: [1],
  count: [1],
  append: [2],
  reverse: [1],
  distinct: [1],
  keys: [1],
  lookup: [2],
  merge: [1],
  sort: [1],
  shuffle: [1],
  zip: [1, 2],
  spread: [1],
  each: [2],
  sift: [2],
  map: [2],
  filter: [2],
  single: [2],
  reduce: [2],
  error: [1],
};

const leaves = fc.constantFrom(
  "data.text",
  "data.mark",
  "data.list",
  "data.other",
  "data.object",
  "data",
  "trigger.body",
  "nodes.start",
  "item",
  "index",
  "$",
  "'a'",
  "''",
  "0",
  "1",
  "-1",
  "10000",
  "1e9",
  "true",
  "null",
  "[]",
  "{}",
  "[1..100]",
  "[1..1000000]",
  "data.list[0]",
  "data.list[-1]",
  "data.list.a",
  "data.list.id",
  "data.list.a.b",
  "data.list.*",
  "data.**",
  "data.list[a = 1]",
  "data.list[$ = 'a']",
  "data.list^(id)",
  "data.list{name: $count($)}",
  "data.object.*",
  "/(a+)+b/",
  "/a*a*a*a*b/",
  "function($v){ $v }",
  "function($v){ $v = data.mark }",
  "data.object.k0",
  "data.list.k1",
);

const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 3, arbitrary: leaves },
    {
      weight: 5,
      arbitrary: fc.constantFrom(...Object.keys(functions)).chain((name) =>
        fc
          .constantFrom(...functions[name]!)
          .chain((count) => fc.array(tie("source"), { minLength: count, maxLength: count }))
          .map((args) => `$${name}(${args.join(", ")})`),
      ),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(tie("source"), fc.constantFrom(...operators), tie("source"))
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("source"), tie("source"), tie("source"))
        .map(([condition, yes, no]) => `(${condition} ? ${yes} : ${no})`),
    },
    { weight: 1, arbitrary: fc.tuple(tie("source"), tie("source")).map(([one, two]) => `[${one}, ${two}]`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie("source"), tie("source")).map(([one, two]) => `{"a": ${one}, "b": ${two}}`),
    },
    { weight: 1, arbitrary: fc.tuple(tie("source"), tie("source")).map(([one, two]) => `${one}[${two}]`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("source"), fc.integer({ min: 1, max: 40 }))
        .map(([one, times]) => Array(times).fill(one).join(" & ")),
    },
  ),
}));

export const sources: fc.Arbitrary<string> = source.map((text) =>
  text.length > MAX_SOURCE ? "data.list" : text,
);

type Inputs = { readonly [key: string]: Recipe };

/** Where an expression can stand: in place of a value, or evaluated for each item and each round. */
const places: Readonly<Record<string, (text: string) => Recipe>> = {
  set: (text) => inLine(step("do", "set", { values: { a: braced(text) } })),
  template: (text) => inLine(step("do", "template", { text: `x ${braced(text)} y ${braced(text)}` })),
  if: (text) => inLine(step("do", "if", { condition: braced(text) })),
  switch: (text) =>
    inLine(step("do", "switch", { value: braced(text), cases: [{ name: "a", equals: braced(text) }] })),
  filter: (text) => inLine(step("do", "filter", { items: "{{ data.list }}", condition: braced(text) })),
  while: (text) => inLine(step("do", "while", { condition: braced(text), maxIterations: 10_000 })),
  forEach: (text) =>
    inLine(
      step("do", "for-each", { items: "{{ data.list }}", concurrency: 100, onItemError: "continue" }),
      step("in", "set", { values: { a: braced(text) } }, "do"),
    ),
  list: (text) => inLine(step("do", "list", { items: braced(text), operation: "unique" })),
  sort: (text) => inLine(step("do", "list", { items: braced(text), operation: "sort", by: "a.b" })),
  merge: (text) =>
    inLine(step("do", "merge", { mode: "append", sources: [braced(text), "{{ data.list }}"] })),
  transform: (text) => inLine(step("do", "transform", { expression: text })),
  twice: (text) =>
    inLine(
      step("one", "set", { values: { a: braced(text) } }),
      step("do", "return", { value: "{{ nodes.one }}" }),
    ),
};

function braced(text: string): string {
  return `{{ ${text} }}`;
}

/** An expression over values of the caller, in a place where one can stand. */
export const expressionDeeds: fc.Arbitrary<FlowDeed> = fc
  .record({
    place: fc.constantFrom(...Object.keys(places)),
    source: sources,
    data: fc.record({
      text: largeTexts,
      mark: largeTexts,
      list: largeLists,
      other: values,
      object: largeObjects,
    }) as fc.Arbitrary<Inputs>,
  })
  .map(({ place, source, data }) => ({
    action: "flow",
    graph: places[place]!(source),
    payload: {
      data: fitted(onlyRead(data, `${source} ${JSON.stringify(places[place]!(""))}`), MAX_PAYLOAD_BYTES),
    },
  }));

/** What is not read would only take room from what is. */
function onlyRead(data: Inputs, text: string): Inputs {
  const readsAll = /data(?!\.\w)|trigger|\$[,)\s]|nodes/.test(text);
  return Object.fromEntries(Object.entries(data).filter(([key]) => readsAll || text.includes(`data.${key}`)));
}
