import fc from "fast-check";
import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import {
  compileExpression,
  evaluateExpression,
} from "../../src/domain/flow/expressions/compiled-expression.ts";

const unbounded = Symbol("left to the sandbox");
const failed = Symbol("failed");

function evaluateHere(source: string, root: unknown): unknown {
  try {
    const value = evaluateExpression(compileExpression(source), {
      root,
      nowMs: () => 0,
      evaluateUnbounded: async () => unbounded,
    });
    return value instanceof Promise ? unbounded : normalize(value);
  } catch {
    return failed;
  }
}

async function evaluateByJsonata(source: string, root: unknown): Promise<unknown> {
  try {
    return normalize(await jsonata(source).evaluate(structuredClone(root)));
  } catch {
    return failed;
  }
}

/** What is left of a value in JSON; a number that JSON does not know counts as a failure. */
function normalize(value: unknown): unknown {
  let hasOddNumber = false;
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "number" && !Number.isFinite(part)) hasOddNumber = true;
    return part;
  }) as string | undefined;
  if (hasOddNumber) return failed;
  return text === undefined ? undefined : JSON.parse(text);
}

const key = fc.constantFrom("a", "b", "c", "items");
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(1.5, 0.1, "", "a", "b c", "x,y", "12", "0x1F", "é😀z", true, false, null),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));
const root = fc.oneof(data.object, data.object, data.object, data.list);

const callOfOne = fc.constantFrom(
  "string number boolean not exists type length uppercase lowercase trim floor ceil abs round sqrt sum average max min count reverse distinct keys merge join".split(
    " ",
  ),
);
const { expression } = fc.letrec<{ expression: string; operand: string; path: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    tie("path"),
    fc.constantFrom("1", "2.5", "-1", "0", '"a"', '"b c"', "true", "false", "null", "$", "$$", "[]", "{}"),
    fc
      .tuple(
        tie("operand"),
        fc.constantFrom(
          "+",
          "-",
          "*",
          "/",
          "%",
          "=",
          "!=",
          "<",
          "<=",
          ">",
          ">=",
          "and",
          "or",
          "in",
          "&",
          "??",
          "?:",
        ),
        tie("operand"),
      )
      .map(([left, sign, right]) => `${left} ${sign} ${right}`),
    fc.tuple(tie("operand"), tie("operand"), tie("operand")).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
    fc.tuple(tie("operand"), tie("operand")).map(([a, b]) => `${a} ? ${b}`),
    tie("operand").map((a) => `-${a}`),
    fc.array(tie("expression"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(fc.tuple(key, tie("expression")), { maxLength: 2 })
      .map((pairs) => `{${pairs.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`),
    fc
      .tuple(callOfOne, tie("expression"))
      .map(([names, a]) => `$${names[a.length % names.length] as string}(${a})`),
    fc
      .tuple(
        fc.constantFrom(
          "append",
          "lookup",
          "contains",
          "split",
          "join",
          "substring",
          "substringBefore",
          "substringAfter",
          "pad",
          "round",
          "power",
          "string",
        ),
        tie("expression"),
        tie("expression"),
      )
      .map(([name, a, b]) => `$${name}(${a}, ${b})`),
    fc
      .tuple(
        fc.constantFrom("substring", "split", "pad"),
        tie("expression"),
        tie("expression"),
        tie("expression"),
      )
      .map(([name, a, b, c]) => `$${name}(${a}, ${b}, ${c})`),
    fc
      .tuple(tie("operand"), fc.constantFrom("sum", "count", "string", "keys"))
      .map(([a, name]) => `${a} ~> $${name}()`),
    fc.tuple(tie("operand"), tie("expression")).map(([a, b]) => `${a}[${b}]`),
    fc.tuple(tie("operand"), tie("operand")).map(([a, b]) => `${a}.${b}`),
    tie("operand").map((a) => `${a}[]`),
  ),
  operand: fc.oneof(
    { depthSize: "small" },
    tie("path"),
    tie("expression").map((text) => `(${text})`),
  ),
  path: fc
    .array(
      fc
        .tuple(
          key,
          fc.constantFrom("", "", "", "[0]", "[-1]", "[1]", "[]", "[a]", "[a > 1]", "[$ = 1]", "[[0,1]]"),
        )
        .map(([name, suffix]) => name + suffix),
      { minLength: 1, maxLength: 3 },
    )
    .map((steps) => steps.join(".")),
}));

describe("bounded expressions", () => {
  test("have the result that JSONata gives, for any expression over any data", async () => {
    let compared = 0;
    let values = 0;
    await fc.assert(
      fc.asyncProperty(expression, root, async (source, input) => {
        const here = evaluateHere(source, input);
        if (here === unbounded) return;
        const there = await evaluateByJsonata(source, input);
        compared += 1;
        if (here !== failed && here !== undefined) values += 1;
        expect(here, source).toEqual(there);
      }),
      { numRuns: 20_000 },
    );
    console.log({ compared, values });
    expect(values).toBeGreaterThan(compared / 4);
  });
});
