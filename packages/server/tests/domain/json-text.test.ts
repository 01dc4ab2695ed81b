import { isUtf8 } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JsonText, writeJsonText } from "../../src/domain/json-text.ts";
import { writeJson } from "../../src/domain/write-json.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

const textOf = ({ pieces }: JsonText) => Buffer.concat(pieces).toString();

const large = {
  text: `${"x".repeat(199_999)}😀${'"\\\n'.repeat(200_000)}`,
  list: Array.from({ length: 30_000 }, (_, at) => ({ at, none: undefined, nothing: null })),
  wide: Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`field ${at}`, at % 7 ? at : undefined]),
  ),
  holes: [undefined, "a".repeat(300_000)],
};

test("a large value is written as JSON.stringify writes it", () => {
  expect(finishSliced(writeJson(large))).toBe(JSON.stringify(large));
});

test("others have their turn while it is written", () => {
  expect([...writeJson(large)].length).toBeGreaterThan(5);
});

test("others have their turn between values that are each just small enough to be written in one go", () => {
  const values = Array.from({ length: 60 }, () => "x".repeat(100_000));
  expect([...writeJson(values)].length).toBeGreaterThan(60);
  expect([...writeJson(Object.assign({}, values))].length).toBeGreaterThan(60);
});

test("what was written becomes part of a list as it is", () => {
  const texts = [large, 1, ["ğ"]].map((value) => finishSliced(writeJsonText(value)));
  expect(textOf(JsonText.list(texts))).toBe(JSON.stringify([large, 1, ["ğ"]]));
  expect(textOf(JsonText.list([]))).toBe("[]");
});

test("its pieces are small, and none ends within a character", () => {
  const text = "x" + "😀".repeat(150_000);
  const written = finishSliced(writeJsonText({ text }));
  expect(textOf(written)).toBe(JSON.stringify({ text }));
  expect(written.length).toBe(Buffer.byteLength(textOf(written)));
  expect(Math.max(...written.pieces.map(({ length }) => length))).toBeLessThan(800_000);
  expect(written.pieces.every((piece) => isUtf8(piece))).toBe(true);
});

test("many small values are few pieces", () => {
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`field ${at}`, at]));
  expect(finishSliced(writeJsonText(wide)).pieces.length).toBeLessThan(20);
});

test("an object full of nothing is still one", () => {
  const nothing = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field ${at}`, undefined]));
  expect(finishSliced(writeJson({ nothing, items: Array.from({ length: 20_000 }) }))).toBe(
    JSON.stringify({ nothing, items: Array.from({ length: 20_000 }) }),
  );
});

test("any value is written as JSON.stringify writes it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const grown = { value, filling: "x".repeat(250_000), again: [value, value] };
      expect(finishSliced(writeJson(grown))).toBe(JSON.stringify(grown));
    }),
    { numRuns: 100 },
  );
});
