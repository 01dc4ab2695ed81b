import { describe, expect, test } from "vitest";
import { compileBounded } from "../../src/domain/flow/expressions/bounded/compile-bounded.ts";
import type { ExpressionNode } from "../../src/domain/flow/expressions/expression-node.ts";
import { evaluateByJsonata, evaluateHere, unbounded } from "./jsonata-oracle.ts";

const input = {
  text: "é😀z, a",
  list: [3, 1, 2],
  empty: [],
  one: { a: 1 },
  same: { a: 1 },
  more: { a: 1, b: 2 },
};

/** Arguments that fit, arguments at the edge, and arguments that do not fit. */
const sources = `
  $length(text) $length('') $length(nothing) $length(1)
  $uppercase(text) $uppercase(nothing) $uppercase([]) $lowercase('ÀB') $lowercase(nothing)
  $trim('  a \\n\\t b ') $trim('') $trim(nothing)
  $pad('x',4) $pad('x',-4,'#') $pad('x',5,'ab') $pad('xyz',2) $pad('x',3,'') $pad(nothing,3) $pad('x',0) $pad('😀',3,'é')
  $substring('hello',1,2) $substring('hello',-3,2) $substring('hello',-9) $substring('hello',2,0) $substring('hello',9) $substring(nothing,1) $substring('hello',1,-1) $substring('hello',-2,1)
  $substringBefore(text,',') $substringBefore(text,'#') $substringBefore(nothing,'a') $substringBefore('a','') $substringBefore('undefined',nothing)
  [nothing,1] list[0-1] list[one.a] list[[0-1,1]] [list][] [[1]][] list.[$][] [].a[] $lookup(one,nothing)
  $substringAfter(text,',') $substringAfter(text,'#') $substringAfter(nothing,'a') $substringAfter('a','')
  $contains(text,'z') $contains(text,'#') $contains(nothing,'a') $contains('a',nothing) $contains('a','')
  $split(text,',') $split(text,'') $split(text,',',1) $split(text,',',0) $split(text,',',-1) $split(nothing,',') $split('a',nothing) $split('a,b',',',9)
  $join(['a','b'],'-') $join(['a','b']) $join([]) $join(nothing) $join('a') $join([1]) $join(['a'],nothing)
  $floor(1.5) $floor(-1.5) $floor(nothing) $floor('1') $ceil(1.2) $abs(-3) $sqrt(9) $sqrt(nothing)
  $power(2,3) $power(2,-1) $power(nothing,2)
  $round(2.5) $round(3.5) $round(-2.5) $round(2.345,2) $round(125,-1) $round(1e21,2) $round(0.4) $round(-0.4) $round(1e-7,9)
  $sum(list) $sum([]) $sum(nothing) $sum(['a']) $average(list) $average([]) $average(nothing) $max(list) $max([]) $min(list) $min(nothing) $max('a')
  $number('12') $number('-1.5e2') $number('0x1F') $number('0b11') $number('0o17') $number('x') $number('') $number(true) $number(false) $number(1) $number(nothing) $number('1e999') $number([])
  $string(1) $string(text) $string(list) $string(one) $string(null) $string(true) $string(nothing) $string({'a':nothing}) $string(1e-7) $string({'a':1},false)
  $boolean('') $boolean('a') $boolean(0) $boolean(2) $boolean(null) $boolean([]) $boolean([0,[1]]) $boolean([0]) $boolean({}) $boolean(one) $boolean(nothing)
  $not(true) $not(0) $not(nothing) $exists(text) $exists(nothing)
  $type(nothing) $type(null) $type(list) $type(1) $type(one) $type(text) $type(true)
  $count(list) $count(nothing) $count(1) $reverse(list) $reverse(nothing) $reverse([1]) $distinct([1,1,2]) $distinct(nothing) $distinct(1)
  $append(list,4) $append(nothing,4) $append(list,nothing) $keys(more) $keys(list) $keys(nothing) $lookup(one,'a') $lookup(one,'z') $merge([one,more]) $merge(nothing)
  5-2 7*3 7/2 7%4 -7%4 1-nothing nothing*2 'a'+1 1+'a' -nothing -'a' -(1)
  1<2 2<=2 'b'>'a' 'a'>='b' 1<'a' nothing<1 true<false null>1 1!=2 1=1.0 'a'='b' nothing!=1
  one=same one=more one!=more list=[3,1,2] list=[3,1] list=one one=list [one]=[same] [[]]=[] null=null null=false {'a':nothing}={}
  1_in_list 9_in_list nothing_in_list 1_in_nothing 1_in_1 text_in_[text]
  true_and_'a' false_and_nothing ''_or_nothing 0_or_1 text&1 nothing&nothing null&true
  nothing??1 null??1 0?:1 true?1 false?1 list[0] list[-1] list[9] list[$>1] one.a one.z.q text.a
`
  .trim()
  .split(/\s+/)
  .map((source) => source.replaceAll("_", " "));

describe("every bounded function and operator", () => {
  test.each(sources)("%s has the result that JSONata gives", async (source) => {
    const here = evaluateHere(source, input);
    expect(here).not.toBe(unbounded);
    expect(here).toEqual(await evaluateByJsonata(source, input));
  });

  test.each(["$pad('x',20001)", "$string(1,true)"])("%s turns out to be one for the sandbox", (source) => {
    expect(evaluateHere(source, input)).toBe(unbounded);
  });

  test.each([
    "1/0",
    "0/0",
    "(1%0).a",
    "1e308*10",
    "$sqrt(-1)",
    "$power(10,400)",
    "$power(2,nothing)",
    "$sum([1e308,1e308])",
  ])("%s comes upon a number that JSON does not know, and is left to JSONata", (source) => {
    expect(evaluateHere(source, input)).toBe(unbounded);
  });
});

describe("compiling", () => {
  test("leaves a kind of expression that it does not know to the sandbox", () => {
    expect(compileBounded({ type: "unary", value: "~" } as ExpressionNode)).toBeUndefined();
    expect(compileBounded({ type: "new-in-some-version" } as ExpressionNode)).toBeUndefined();
  });

  test("does not take a fault of its own for an expression without bound", () => {
    expect(() => compileBounded(undefined as never)).toThrow(TypeError);
  });
});
