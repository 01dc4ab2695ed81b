import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/engine/sandbox/sandbox.ts";
import { evaluate, failureOf, warmSandbox } from "./support.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await warmSandbox();
});
afterAll(() => sandbox.close());

it("an expression is JSONata over the input object", async () => {
  const input = { nodes: { fetch: { items: [{ price: 2 }, { price: 3 }] } }, item: "x" };
  expect(await evaluate(sandbox, "$sum(nodes.fetch.items.price)", { input })).toBe(5);
  expect(await evaluate(sandbox, "{ 'a': missing, 'b': [item] }", { input })).toEqual({ b: ["x"] });
  expect(await evaluate(sandbox, "missing.thing", { input })).toBeUndefined();
});

it("regular expressions work as in JSONata", async () => {
  expect(await evaluate(sandbox, "$replace('abcabc', /b(c)/, '[$1]')")).toBe("a[c]a[c]");
  expect(await evaluate(sandbox, "$split('a1b22c', /\\d+/)")).toEqual(["a", "b", "c"]);
  expect(await evaluate(sandbox, "$contains('ABC', /abc/i)")).toBe(true);
  expect(await evaluate(sandbox, "$match('ab12', /([a-z])(\\d)/).groups")).toEqual(["b", "1"]);
});

it("a pattern made to backtrack for ever is decided", async () => {
  // A thousand steps for each character more would be no limit; twice as many for each would never end.
  const input = { text: `${"a".repeat(1_000)}X` };
  expect(await evaluate(sandbox, "$contains(text, /^(a+)+$/)", { input, limits: { cpuMs: 10_000 } })).toBe(
    false,
  );
});

it("look-around and back-references, which RE2 lacks, are refused in words", async () => {
  for (const pattern of ["/(?=x)/", "/(x)\\1/"]) {
    const error = await failureOf(evaluate(sandbox, `$match('xx', ${pattern})`));
    expect(error.name).toBe("ExpressionError");
    expect(error.message).toContain("not supported");
  }
});

describe("an expression without end, or without measure, ends", { retry: 3 }, () => {
  const limits = { cpuMs: 400 };
  it.each([
    ["tail recursion", "($f := function($n) { $f($n + 1) }; $f(1))", "ExpressionTimeout"],
    ["recursion", "($f := function($n) { 1 + $f($n + 1) }; $f(1))", "ExpressionError"],
    ["a range", "[1..9999999]", "ExpressionError"],
    ["a quadratic built-in", "$count($distinct(rows))", "ExpressionTimeout"],
    ["padding", "$length($pad('a', 200000000))", "ExpressionMemory|ExpressionTimeout"],
    ["parentheses", `${"(".repeat(20_000)}1${")".repeat(20_000)}`, "ExpressionError"],
  ])("%s", async (_name, source, name) => {
    const input = { rows: Array.from({ length: 90_000 }, (_, id) => id) };
    await evaluate(sandbox, "1");
    const error = await failureOf(evaluate(sandbox, source, { input, limits }));
    expect(name.split("|")).toContain(error.name);
  });
});

it("memory outside of the heap has a limit too", async () => {
  const input = { text: "x".repeat(4_900_000) };
  const source = "$map([1..400], function() { $base64encode(text) })";
  const error = await failureOf(evaluate(sandbox, source, { input, limits: { cpuMs: 10_000 } }));
  expect(error.name).toBe("ExpressionMemory");
});

it("$eval is switched off", async () => {
  for (const source of ["$eval('1+1')", "$map(['1'], $eval)", "($e := $eval; $e('1'))"]) {
    const error = await failureOf(evaluate(sandbox, source));
    expect(error.message).toContain("$eval is switched off");
  }
});

it("a function is no result", async () => {
  for (const source of ["$sum", "function($x) { $x }", "{ 'a': [$map] }"]) {
    const error = await failureOf(evaluate(sandbox, source));
    expect(error.message).toContain("function");
  }
});

it("a number that JSON does not know is no result, and is nothing where JSONata makes nothing of it", async () => {
  for (const source of ["1/0", "[1%0]", "{ 'a': 1e308 * 10 }", "$map([0], function($x) { 1 / $x })"]) {
    const error = await failureOf(evaluate(sandbox, source));
    expect(error.message).toContain("a division by zero, perhaps");
  }
  expect(await evaluate(sandbox, "(1/0).a ?? 'none'")).toBe("none");
});

describe("no expression reaches the host", () => {
  it.each([
    "a.constructor",
    "a.constructor.constructor('return process')()",
    "a.__proto__",
    "a.`__proto__`.polluted",
    "$lookup(a, 'constructor')",
    "$lookup(a, '__proto__')",
    "$lookup($lookup(a, 'constructor'), 'prototype')",
    "$sum.constructor",
    "$sum.`constructor`('return process')()",
    "$string.prototype",
    "a.toString",
    "a.valueOf()",
    "a.hasOwnProperty('x')",
    "text.constructor",
    "text.length",
    "list.constructor",
    "list.map",
    "$process",
    "$globalThis",
    "$require('fs')",
    "process",
    "process.env",
    "globalThis",
    "$each(a, function($v, $k) { $v.constructor })",
    "$spread(a).constructor",
    "$merge([a, { '__proto__': { 'polluted': 1 } }]).polluted",
    "(a ~> | $ | { '__proto__': { 'polluted': 1 } } |).polluted",
    "(a ~> | $ | { 'constructor': { 'prototype': { 'polluted': 1 } } } |).polluted",
    "$clone(a).constructor",
    "($x := { '__proto__': { 'polluted': 1 } }; {}.polluted)",
  ])("%s", async (source) => {
    const input = { a: { b: 1 }, text: "x", list: [1] };
    const value = await evaluate(sandbox, source, { input }).catch((error: Error) => {
      expect(error.name).toBe("ExpressionError");
      return undefined;
    });
    expect(value ?? null).toBeOneOf([null, 1]);
    expect(await evaluate(sandbox, "{}.polluted")).toBeUndefined();
  });
});
