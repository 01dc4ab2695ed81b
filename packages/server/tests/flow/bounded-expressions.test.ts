import { describe, expect, test } from "vitest";
import {
  compileExpression,
  evaluateExpression,
} from "../../src/domain/flow/expressions/compiled-expression.ts";
import { evaluateByJsonata, evaluateHere, failed, unbounded } from "./jsonata-oracle.ts";

describe("bounded expressions", () => {
  test.each([
    "items.[a, b]",
    "items.[a][0]",
    "(items.[a])[0]",
    "[items.[a]]",
    "[items].a",
    "[[1, 2], [3]].$",
    "[1, 2].($ + 1)",
    "items.$.a",
    "$.items.a",
    "items[0].$",
    "$distinct(items.a)",
    "$distinct(items.b)",
    "$distinct([1, 1])",
    "$distinct(items.same)",
    "nested[$$.one.a = 1]",
    "items.{'x': a}.x",
    "items.b.{'x': c}",
    "nested.{'x': $}",
    "{'x': items.a, 'y': $sum(items.a)}",
    "(items.a).{$string($): $}",
    "[[]].{'x': 1}",
    "{nothing: 1}",
    "{1: 1}",
    "{'a': 1, 'a': 2}",
    "items.({'x': a[]}).x",
    "{'x': items.a[]}.x",
    "{'x': items[a = 1].a}.x",
    "items.b.c[0]",
    "items[b.c = 2].a",
    "items[-1].a[]",
    "items[[0, 2]].a",
    "items[a > 0][0].a",
    "nested.$",
    "nested[0]",
    "5[0]",
    "'a'[true]",
    "'a'[1]",
    "nested[0][1]",
    "nested.[$]",
    "$count(nested)",
    "$append(items.a, nothing)",
    "$append(nothing, items.a)",
    "$reverse(items.a)",
    "$keys(items)",
    "$keys(items[0])",
    "$keys(one)",
    "$lookup(items, 'a')",
    "$merge(items)",
    "items.a in [1, 2]",
    "1 in items.a",
    "$string(items)",
    "$string(0.1 + 0.2)",
    "items & nothing",
    "$round(2.5) & $round(-1.5) & $round(1.005, 2) & $round(125, -1)",
    "$substring('hello', -3, 2) & $pad('x', -3, 'ab') & $trim('  a  b ')",
    "$number('0x1F') + $number('1e2')",
    "nothing ?? items.a ?: 1",
    "nothing > 1",
    "nothing = nothing",
    "$sum(items.a) / $count(items)",
    "$max(items.a) - $min(items.a)",
    "one.a.{'self': $}",
    "(1; 2; items[0].a)",
    "'a' & (items[a = 9].a)",
  ])("%s has the result that JSONata gives", async (source) => {
    const input = {
      items: [
        { a: 1, b: { c: [1, 2] }, same: 7 },
        { a: 2, b: [{ c: 2 }, { c: 3 }], z: 0, same: 7 },
        { a: 1, b: { c: 2 } },
      ],
      nested: [[1, [2]], [3]],
      one: [{ a: 1 }],
    };
    expect(evaluateHere(source, input)).toEqual(await evaluateByJsonata(source, input));
    const list = [input, input];
    const here = evaluateHere(source, list);
    if (here !== unbounded) expect(here).toEqual(await evaluateByJsonata(source, list));
  });

  test.each([
    "data.items[price > 3].name",
    "$sum(data.items.price)",
    "data.items ~> $count()",
    "data.a ?? 'none'",
    "(data.a; data.b)",
    "data.items.{'n': name}",
    "'a' in data.tags",
    "$now()",
  ])("%s runs in place", (source) => {
    expect(compileExpression(source).run).toBeDefined();
  });

  test.each([
    "$map(data.items, function($v) { $v.name })",
    "$filter(data.items, function($v) { true })",
    "data.items^(price)",
    "$sort(data.items)",
    "data.*",
    "data.**.name",
    "data.items.%.name",
    "[1..10]",
    "$match(data.text, /a+/)",
    "$contains(data.text, /a+/)",
    "$replace(data.text, 'a', 'b')",
    "($x := 1; $x)",
    "data.items{name: price}",
    "data ~> |items|{'a': 1}|",
    "data.items#$i.{'i': $i}",
    "data.items@$i.name",
    "$substring(?, 1)",
    "$formatNumber(1, '0')",
    "$random()",
    "data ~> $keys",
    "$uppercase()",
    "sum(data.items)",
    "function($x) { $x }(1)",
    "data.items[0]#$i[1]",
  ])("%s is left to the sandbox", (source) => {
    expect(compileExpression(source).run).toBeUndefined();
  });

  test("goes to the sandbox when the data turns out to be too much for one go", () => {
    const root = { data: Array.from({ length: 60_000 }, (_, index) => ({ index })) };
    expect(evaluateHere("data.index", { data: root.data.slice(0, 10) })).toHaveLength(10);
    expect(evaluateHere("data[index > 3].index", root)).toBe(unbounded);
    expect(evaluateHere("$string($$)", root)).toBe(unbounded);
  });

  test("goes to the sandbox where only the parser takes a block for a list", () => {
    expect(evaluateHere("([1].a; 2).b", {})).toBe(unbounded);
  });

  test("goes to the sandbox where an argument may be meant for another place", () => {
    expect(evaluateHere("$substring(1, 2)", {})).toBe(unbounded);
  });

  test("counts and cuts characters, not their halves", () => {
    expect(evaluateHere("$length(text)", { text: "a😀b" })).toBe(3);
    expect(evaluateHere("$substring(text, 1, 1)", { text: "a😀b" })).toBe("😀");
  });

  test("writes the whole data, also where it is a list or has holes", () => {
    expect(evaluateHere("$string($)", [1, { a: 2 }])).toBe('[1,{"a":2}]');
    expect(evaluateHere("$string($)", { list: [undefined, 1] })).toBe('{"list":[null,1]}');
  });

  test("refuses texts of more than 5 MB", () => {
    expect(evaluateHere("data & data", { data: "x".repeat(3_000_000) })).toBe(failed);
  });

  test("reports data that nests too deeply instead of crashing", () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 50_000; depth += 1) nested = [nested];
    expect(evaluateHere("$boolean(data)", { data: nested })).toBe(failed);
  });

  test("reads the clock that it is given", () => {
    const environment = {
      root: {},
      nowMs: 1_700_000_000_123,
      evaluateUnbounded: async () => unbounded,
    };
    expect(evaluateExpression(compileExpression("$now()"), environment)).toBe("2023-11-14T22:13:20.123Z");
    expect(evaluateExpression(compileExpression("$millis()"), environment)).toBe(1_700_000_000_123);
  });

  test("never changes the data", () => {
    const root = { data: { items: [{ a: [] }, { a: [1] }] } };
    const before = structuredClone(root);
    for (const source of [
      "data.items.a.{'x': 1}",
      "data.items[]",
      "$append(data.items, 1)",
      "$reverse(data.items)",
    ]) {
      evaluateHere(source, root);
    }
    expect(root).toEqual(before);
    expect(Object.keys(root.data.items)).toEqual(["0", "1"]);
  });

  test("refuses a key that would reach a prototype", () => {
    expect(evaluateHere("{'__proto__': 1}", {})).toBe(failed);
  });
});
