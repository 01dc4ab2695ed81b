import { describe, expect, it } from "vitest";
import { faultOfJsonValue, MAX_VALUES, scanJson } from "../../src/domain/json-limits.ts";
import { measureJson, weighJson } from "../../src/domain/json-measure.ts";
import { parseForeignJson, parseJson } from "../../src/domain/json.ts";
import { toJsonText, JsonText } from "../../src/domain/json-text.ts";
import { wellFormedValue } from "../../src/domain/well-formed.ts";
import { PieceCount } from "../../src/domain/piece-count.ts";

const faultOf = (text: string) => {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    const { message, path } = error as { message: string; path: unknown };
    return [message, path];
  }
};
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("JSON of a caller", () => {
  it("is read where it holds nothing that could hurt later", () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
    const text = '{"a":[1,-2.5e3,"\\u00e9","\\"",true,null],"constructor":{"x":1},"b":{"constructor":"c"}}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson('{"constructor":null}')).toEqual({ constructor: null });
  });

  it.each([
    ['{"a":', ["must be valid JSON: Unexpected end of JSON input", []]],
    ['{"a":{"__proto__":1}}', ["must not contain the key __proto__", ["a"]]],
    ['{"constructor":{"prototype":1}}', ["must not contain the key constructor", []]],
    ['{"a":["x","\\u0000"]}', ["must not contain NUL characters or lone surrogates", ["a", 1]]],
    ['{"\\ud800":1}', ["must not contain NUL characters or lone surrogates", []]],
    ['{"a":1e999}', ["must be a number below 1.8e308", ["a"]]],
    [`[${"9".repeat(400)}]`, ["must be a number below 1.8e308", [0]]],
    [deep(65), ["must not be nested deeper than 64 levels", []]],
    [`[${"0,".repeat(100_000)}0]`, ["must not hold more than 100000 values", []]],
  ])("is refused by name: %.40s", (text, fault) => expect(faultOf(text)).toEqual(fault));
});

describe("JSON of another server", () => {
  it("has the same limits, somewhat wider", () => {
    expect(parseForeignJson('{"__proto__":1}')).toEqual(JSON.parse('{"__proto__":1}'));
    expect(parseForeignJson(deep(100))).toEqual(JSON.parse(deep(100)));
    expect(() => parseForeignJson(deep(101))).toThrow("must not be nested deeper than 100 levels");
    expect(() => parseForeignJson("[1,2,3]", { maxValues: 2 })).toThrow("must not hold more than 2 values");
  });

  it("may hold many rows of one form, but not many different keys", () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => ({ id: at, 'a"\\': `\\"${at}` }));
    expect(scanJson(JSON.stringify(rows)).fault).toBeUndefined();
    const long = "k".repeat(400);
    expect(scanJson(JSON.stringify([{ [long]: "x".repeat(200_000) }])).fault).toBeUndefined();
    const different = Object.fromEntries(Array.from({ length: 25_500 }, (_, at) => [`key ${at}`, 1]));
    expect(scanJson(JSON.stringify(different)).fault).toBe("must not hold more than 25000 different keys");
  });

  it("ends with the text where a quote is missing", () => {
    expect(scanJson('{"a\\"').fault).toBeUndefined();
    expect(scanJson(`"${"x".repeat(100_001)}`).fault).toBeUndefined();
    expect(scanJson(`"${"x".repeat(100_001)}\\"`).fault).toBeUndefined();
  });
});

describe("a value that was parsed already", () => {
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };

  it.each([
    ["plain", { a: [1, { b: null }], c: "x" }, undefined],
    ["too deep", nested(102), "must not be nested deeper than 100 levels"],
    ["a long list", Array(MAX_VALUES + 1).fill(0), `must not hold more than ${MAX_VALUES} values`],
    ["many lists", [Array(MAX_VALUES).fill(0), [0, 0]], `must not hold more than ${MAX_VALUES} values`],
    [
      "many keys",
      Object.fromEntries(Array.from({ length: MAX_VALUES + 1 }, (_, at) => [at, 0])),
      `must not hold more than ${MAX_VALUES} values`,
    ],
  ])("has the same limits: %s", (_name, value, fault) => expect(faultOfJsonValue(value)).toBe(fault));
});

describe("a measure", () => {
  const limits = { bytes: 100, values: 10, depth: 3 };

  it.each([
    ["x".repeat(10), 12],
    [7, 5],
    [null, 5],
    [["a", 1, null], 18],
    [{ a: true }, 12],
    ["x".repeat(99), "bytes"],
    [["x".repeat(99)], "bytes"],
    [{ ["x".repeat(99)]: 1 }, "bytes"],
    [Array(11).fill(0), "values"],
    [[Array(5).fill(0), Array(5).fill(0)], "values"],
    [[[[[]]]], "depth"],
    [{ a: { b: { c: {} } } }, "depth"],
  ])("of %j is %s", (value, measured) => expect(measureJson(value, limits)).toBe(measured));
});

it("a measure notes texts and keys that are not well-formed, and numbers that JSON does not know", () => {
  const limits = { bytes: 100, values: 10, depth: 3 };
  const noted = (value: unknown) => {
    const notes = { hasBrokenText: false, hasOddNumber: false, values: 0 };
    measureJson(value, limits, notes);
    return [notes.hasBrokenText, notes.hasOddNumber];
  };
  for (const fine of ["fine", { fine: ["fine", 1e308, null] }, 0, true])
    expect(noted(fine)).toEqual([false, false]);
  for (const broken of ["\ud800", ["a\0"], { "\ud800": 1 }]) expect(noted(broken)).toEqual([true, false]);
  for (const odd of [Number.NaN, [-Infinity], { a: [Infinity] }]) expect(noted(odd)).toEqual([false, true]);
});

it("texts at the border become well-formed, wherever they stand", () => {
  expect(wellFormedValue({ "a\0": ["b\ud800", { c: "fine" }], n: 1, none: null, odd: [Infinity] })).toEqual({
    "a\ufffd": ["b\ufffd", { c: "fine" }],
    n: 1,
    none: null,
    odd: [null],
  });
});

it("a value that was written is written as it is", () => {
  const written = new JsonText([Buffer.from("[1]")]);
  expect([toJsonText(written), toJsonText([2])]).toEqual([written, "[2]"]);
});

it("a stream has some small pieces free, and more only with their bytes", () => {
  const pieces = new PieceCount(2, 10);
  expect([1, 1, 1, 27, 1].map((bytes) => pieces.add(bytes))).toEqual([true, true, false, true, true]);
});

it("the weight of a value counts its texts, and each value for what it takes besides", () => {
  expect(weighJson(undefined)).toBe(0);
  expect(weighJson("x".repeat(1_000))).toBe(1_034);
  expect(weighJson(Array.from({ length: 100 }, () => ({})))).toBeGreaterThan(100 * 32);
});
