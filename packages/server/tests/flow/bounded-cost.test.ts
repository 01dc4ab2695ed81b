import { describe, expect, test } from "vitest";
import {
  compileExpression,
  evaluateExpression,
} from "../../src/domain/flow/expressions/compiled-expression.ts";
import { compileTemplate, evaluateTemplate } from "../../src/domain/flow/expressions/template.ts";

const outside = Symbol("outside");
const million = 1_000_000;
const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key${at}`, at]));
const root = {
  a: "a".repeat(million),
  b: `b${"a".repeat(million / 2)}`,
  short: "a".repeat(10_000),
  unit: "xy".repeat(million / 2),
  emoji: "😀".repeat(million / 2),
  spaces: " x".repeat(million / 2),
  numbers: Array.from({ length: 150_000 }, (_, at) => at),
  texts: Array.from({ length: 50_000 }, () => "same"),
  // The same long text in many places: cheap to keep, dear to compare.
  copies: Array.from({ length: 2_000 }, () => "c".repeat(million)),
  other: `${"c".repeat(million - 1)}d`,
  tens: Array.from({ length: 10_000 }, () => 10),
  nested: Array.from(
    { length: 500 },
    () => JSON.parse(`${"[".repeat(20)}{"a":1}${"]".repeat(20)}`) as unknown,
  ),
  wide,
  wides: Array.from({ length: 500 }, () => wide),
};

/** Where an expression is evaluated, and the steps that it took in place are bounded, so this needs no clock. */
async function placeOf(source: string) {
  const environment = { root, nowMs: 0, evaluateUnbounded: async () => outside };
  const value = evaluateExpression(compileExpression(source), environment);
  return (await value) === outside ? "sandbox" : "in place";
}

describe("what an expression costs on the event loop does not depend on the data", () => {
  test.each([
    "$contains(a, b)",
    "$substringBefore(a, b)",
    "$substringAfter(a, b)",
    "$split(a, b)",
    "$split(a, '')",
    "$split(spaces, ' ')",
    "$trim(spaces)",
    "$length(emoji)",
    "$substring(emoji, 5, 10)",
    "$pad('x', 9000, unit)",
    "$uppercase(a)",
    "$join(copies)",
    "$string(wide)",
    "$keys(wides)",
    "$merge(wides)",
    "$distinct(numbers)",
    "copies[$ = $$.other]",
    "copies[$ < $$.other]",
    "other in copies",
    "numbers.(1+1+1+1+1+1+1+1+1+1)",
    "texts{$: 1}",
    "$number(a)",
    "nested.b & nested.b",
    "tens.[1]",
    "wide and wide and wide and wide and wide",
  ])("%s goes to the sandbox, or is refused, where it is long", async (source) => {
    const place = await placeOf(source).catch((error: Error) => error.name);
    expect(["sandbox", "ExpressionError"]).toContain(place);
  });

  test.each([
    "$contains('Hello', 'ell')",
    "$length(short)",
    "$substring(short, 5, 10)",
    "wide.key5",
    "numbers[3]",
    "a = b",
  ])("%s stays in place, where it is short", async (source) => {
    expect(await placeOf(source)).toBe("in place");
  });

  test("the expressions of one input share what may be done at once", () => {
    const environment = {
      root: { text: "x".repeat(80_000) },
      nowMs: 0,
      evaluateUnbounded: async () => outside,
    };
    const template = compileTemplate("{{ $length($uppercase(text)) }} ".repeat(100));
    expect(evaluateTemplate(template, environment)).toBeInstanceOf(Promise);
  });

  test("all texts of one input share one limit", async () => {
    const template = compileTemplate(Array.from({ length: 20 }, () => "{{ a }}{{ a }}"));
    const environment = { root, nowMs: 0, evaluateUnbounded: async () => outside };
    await expect(async () => evaluateTemplate(template, environment)).rejects.toThrow("more than 5 MB");
  });
});
