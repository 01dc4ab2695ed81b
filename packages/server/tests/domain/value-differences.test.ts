import { describe, expect, it } from "vitest";
import { differences, isEqual, valueText } from "../../src/domain/flow-test/differences.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { inEnglish } from "../../src/domain/flow-test/test-texts.ts";

const said = (expected: unknown, actual: unknown) =>
  finishSliced(differences(expected, actual)).map(inEnglish);

describe("differences", () => {
  it("name each place", () => {
    expect(said({ a: [1, { b: 2 }], c: "x" }, { a: [1, { b: 3 }, 4], d: null })).toEqual([
      "a[1].b: expected 2, got 3",
      "a[2]: expected nothing, got 4",
      'c: expected "x", got nothing',
      "d: expected nothing, got null",
    ]);
    expect(said(1, [])).toEqual(["expected 1, got []"]);
    expect(said({}, null)).toEqual(["expected {}, got null"]);
    expect(said([1], { a: 1 })).toEqual(['expected [1], got {"a":1}']);
  });

  it("are none between equal values, whatever the order of keys, what is undefined and the sign of 0", () => {
    expect(finishSliced(isEqual({ a: 1, b: [0] }, { b: [-0], a: 1, c: undefined }))).toBe(true);
    expect(finishSliced(isEqual({ a: 1 }, { a: "1" }))).toBe(false);
    expect(finishSliced(isEqual({ toString: 1 }, {}))).toBe(false);
  });

  it("are not all looked for where one is enough", () => {
    const list = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    expect([...isEqual([], list)].length).toBe(0);
    expect([...isEqual(structuredClone(list), list)].length).toBe(500);
  });

  it("are cut where they say no more", () => {
    const many = Array.from({ length: 30 }, (_, index) => index);
    expect(said(many, []).length).toBe(21);
    expect(said(many, []).at(-1)).toBe("… and 10 more");
    expect(said(Array.from({ length: 500 }, String), []).at(-1)).toBe("… and 480 more");
    expect(valueText("x".repeat(400)).length).toBe(301);
  });
});
