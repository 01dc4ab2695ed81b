import { expect, it } from "vitest";
import { checkValue } from "../../../src/domain/json-schema/check-value.ts";
import { readSchema } from "../../../src/domain/json-schema/read-schema.ts";
import { finishSliced } from "../../../src/domain/sliced.ts";
import { list, object, text } from "./support.ts";

it("gives up on a check that would not end, and lets others have their turn meanwhile", () => {
  // Each level asks twice about the next one: 2^60 questions.
  const level = (at: number): object =>
    at === 0
      ? { type: "number" }
      : { anyOf: [{ $ref: `#/$defs/l${at - 1}` }, { $ref: `#/$defs/l${at - 1}` }] };
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`l${at}`, level(at)]));
  const { schema } = finishSliced(readSchema({ $ref: "#/$defs/l59", $defs }));
  const check = checkValue(schema!, "text");
  let turns = 0;
  for (let step = check.next(); ; step = check.next(), turns += 1)
    if (step.done) {
      expect(step.value).toEqual([{ path: [], message: expect.stringContaining("takes too long to check") }]);
      break;
    }
  expect(turns).toBeGreaterThan(500);
});

it("lets others have their turn within long texts, patterns, options and lists", () => {
  const turnsOf = (document: object, value: unknown) => {
    const check = checkValue(finishSliced(readSchema(document)).schema!, value);
    let turns = 0;
    while (!check.next().done) turns += 1;
    return turns;
  };
  const long = "x".repeat(1_000_000);
  expect(turnsOf({ enum: [{ a: long.slice(0, 90_000) }] }, { a: long })).toBeGreaterThan(0);
  expect(turnsOf({ ...text, minLength: 3 }, long)).toBeGreaterThan(0);
  expect(
    turnsOf({ ...list, items: { ...text, pattern: "(x+x+)+y" } }, Array(100).fill(long.slice(0, 5_000))),
  ).toBeGreaterThan(10);
  expect(
    turnsOf(
      { ...list, uniqueItems: true },
      Array.from({ length: 10_000 }, (_, at) => at),
    ),
  ).toBeGreaterThan(3);
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`p${at}`, 1]));
  expect(turnsOf({ ...object, patternProperties: { "^(a|b)+$": text } }, wide)).toBeGreaterThan(1);
  expect(
    turnsOf(
      { ...list, items: { ...object, required: ["a"] } },
      Array.from({ length: 3_000 }, () => ({ a: 1 })),
    ),
  ).toBeGreaterThan(1);
  const names = Array.from({ length: 5_000 }, (_, at) => `p${at}`);
  expect(turnsOf({ ...object, required: names }, {})).toBe(1);
});

it("does not take a fault of the service for a check that costs too much", () => {
  const { schema } = finishSliced(readSchema(object));
  const broken = {
    get a() {
      throw new Error("broken");
    },
  };
  expect(() => finishSliced(checkValue(schema!, broken))).toThrow("broken");
});
