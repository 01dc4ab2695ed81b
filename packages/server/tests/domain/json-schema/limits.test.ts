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
  const whole = Object.fromEntries(names.map((name) => [name, 1]));
  expect(turnsOf({ ...object, required: names }, whole)).toBeGreaterThan(1);
  expect(turnsOf({ ...object, dependentRequired: { p0: names } }, whole)).toBeGreaterThan(1);
});

it("goes no further into an object than it must: a short text can ask for many names of each of many objects", () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `p${at}`);
  for (const asked of [{ required: names }, { dependentRequired: { a: names } }]) {
    const { schema } = finishSliced(readSchema({ ...list, contains: { ...object, ...asked } }));
    const check = checkValue(
      schema!,
      Array.from({ length: 20_000 }, () => ({ a: 1 })),
    );
    expect([...check].length).toBeLessThan(100);
  }
  const { schema } = finishSliced(readSchema({ ...object, dependentRequired: { a: names } }));
  expect(finishSliced(checkValue(schema!, { a: 1 }))).toHaveLength(20);
});

it("lets others have their turn while a schema of many faults or references is read", () => {
  const read = (document: object) => {
    const reading = readSchema(document);
    for (let turns = 0; ; turns += 1) {
      const { done, value } = reading.next();
      if (done) return { turns, problems: value.problems };
    }
  };
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, 1]));
  const faulty = read(unknown);
  expect(faulty.problems).toHaveLength(20);
  expect(faulty.turns).toBeGreaterThan(1);
  const nowhere = Array.from({ length: 25 }, (_, at) => [`d${at}`, { $ref: "#/$defs/nowhere" }]);
  expect(read({ $defs: Object.fromEntries(nowhere) }).problems).toHaveLength(20);
  const $defs = Object.fromEntries(
    Array.from({ length: 490 }, (_, at) => [
      `d${at}`,
      at < 489 ? { allOf: [{ $ref: `#/$defs/d${at + 1}` }] } : text,
    ]),
  );
  const chained = read({ $defs, $ref: "#/$defs/d0" });
  expect(chained.problems).toEqual([]);
  // Each reference is followed to the end of all.
  expect(chained.turns).toBeGreaterThan(490 + (490 * 490) / 4_000);
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
