import { expect, test } from "vitest";
import { freeBytes } from "../../src/domain/free-bytes.ts";
import { JsonText, writeJsonText } from "../../src/domain/json-text.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

test("a large buffer gives its memory back, a small one shares it with others", () => {
  const [large, small, neighbour] = [Buffer.alloc(100_000), Buffer.from("a"), Buffer.from("mine")];
  freeBytes(large);
  freeBytes(small);
  freeBytes(large);
  expect([large.byteLength, neighbour.toString()]).toEqual([0, "mine"]);
  expect(small.byteLength).toBeGreaterThan(0);
});

test("bytes that several threads share stay as they are", () => {
  const shared = Buffer.from(new SharedArrayBuffer(100));
  freeBytes(shared);
  expect(shared.byteLength).toBe(100);
});

test("a large text gives all of it back", () => {
  const written = finishSliced(writeJsonText({ text: "x".repeat(500_000) }));
  written.free();
  const left = written.pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(left).toBeLessThan(10_000);
});

test("but not while it is sent, by itself or within a list", () => {
  const written = finishSliced(writeJsonText("x".repeat(500_000)));
  const sendings = [written.beginSending(), JsonText.list([written]).beginSending()];
  for (const end of sendings) {
    written.free();
    expect(Buffer.concat(written.pieces)).toHaveLength(500_002);
    end();
  }
  written.free();
  expect(written.pieces.every(({ byteLength }) => byteLength < 10_000)).toBe(true);
});
