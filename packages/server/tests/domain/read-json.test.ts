import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../../src/domain/read-json.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

const read = (text: string) => finishSliced(readJson(text));
const filling = "x".repeat(90_000);

test.each<[string, unknown]>([
  ["a long text", filling.repeat(3)],
  ["a long list", Array.from({ length: 60_000 }, (_, at) => at)],
  ["a long object", Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k ${at}`, [at]]))],
  ["lists in lists", [[filling, filling], [], [[filling], [filling, [filling, filling]], 1], {}]],
  ["objects in objects", { a: { b: filling, c: { d: filling, e: [] } }, f: {}, g: { h: filling } }],
  ["quotes, backslashes and braces in texts", [`"]},\\${filling}`, `\\"[{${filling}`, { '"},[': filling }]],
  ["numbers for names", { 2: filling, 1: filling, b: 1, 0: { 7: filling, a: filling } }],
])("%s is read as JSON.parse reads it", (_name, value) => {
  const texts = [JSON.stringify(value), JSON.stringify(value, null, 2)];
  for (const text of texts) expect(JSON.stringify(read(text))).toBe(JSON.stringify(value));
});

test("a name may come twice, and __proto__ is a name like any other", () => {
  const text = `{"a": 1, "__proto__": {"b": "${filling}", "__proto__": "${filling}"}, "a" : ["${filling}"] }`;
  const value = read(text) as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(value).toEqual(JSON.parse(text));
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
});

test("any value is read as JSON.parse reads it", () => {
  const parts = fc.oneof(fc.jsonValue(), fc.constant(filling));
  const shapes = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      parts,
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 5, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(shapes.value, fc.constantFrom(0, 1), (value, indent) => {
      const text = JSON.stringify({ value, again: [value, filling] }, null, indent);
      expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 100 },
  );
});

test("others have their turn while it is read", () => {
  const wide = JSON.stringify({ nodes: Array.from({ length: 100_000 }, (_, at) => ({ at })) });
  expect([...readJson(wide)].length).toBeGreaterThan(5);
});
