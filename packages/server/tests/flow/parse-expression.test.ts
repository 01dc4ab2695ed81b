import { expect, test } from "vitest";
import { compileExpression } from "../../src/domain/flow/expressions/compiled-expression.ts";
import { ExpressionError } from "../../src/domain/flow/expressions/expression-error.ts";
import { parseWeight } from "../../src/domain/flow/expressions/parse-weight.ts";

test("an expression that does not parse is refused with the parser's reason", () => {
  expect(() => compileExpression("data.amount >")).toThrow(ExpressionError);
  expect(() => compileExpression("data.(")).toThrow(/Expected|end/);
  expect(() => compileExpression("")).toThrow("it is empty");
});

test("a regular expression that cannot be read is refused, not thrown as something else", () => {
  expect(() => compileExpression("$match(data.a, /(?<x/)")).toThrow(ExpressionError);
});

test("a source of more than 4 KB is refused", () => {
  expect(() => compileExpression(`"${"x".repeat(4_100)}"`)).toThrow("more than 4096 characters");
});

test.each(["(", "[", "-", "{'a': "])("20,000 times %s is refused, not a crash", (open) => {
  expect(() => compileExpression(open.repeat(20_000))).toThrow(ExpressionError);
  expect(() => compileExpression(open.repeat(4_000 / open.length))).toThrow(ExpressionError);
});

test("an expression that nests deeper than 64 levels is refused", () => {
  const nested = (depth: number) => "(".repeat(depth) + "1" + ")".repeat(depth);
  expect(compileExpression(nested(40)).run).toBeDefined();
  expect(() => compileExpression(nested(200))).toThrow("64 levels");
  // Known only from the tree.
  expect(() => compileExpression(`${"a + ".repeat(200)}a`)).toThrow("64 levels");
});

test("how deep it nests is known before it is parsed, where that is much", () => {
  for (const [open, close] of ["()", "[]", "{}"].map((pair) => pair.split("") as [string, string]))
    expect(parseWeight(open.repeat(500) + close.repeat(500)).depth).toBe(500);
  expect(parseWeight("- -\n-a - -b").depth).toBe(3);
  expect(parseWeight("1 - (2) - '((((' - /((/ /* (( */").depth).toBe(1);
  expect(() => compileExpression(`${"-".repeat(200)}a`)).toThrow("64 levels");
  expect(compileExpression(`${"1 - ".repeat(100)}1`).run).toBeDefined();
});

test("nested default operators, which the parser copies, cannot blow up", () => {
  const nested = (depth: number) => `${"(".repeat(depth)}a${" ?? b)".repeat(depth)}`;
  expect(compileExpression(nested(8)).run).toBeDefined();
  expect(() => compileExpression(nested(30))).toThrow("nests the operators ?? and ?: too deeply");
});

test.each(["$eval('1')", "$e := $eval", "$map(data, $eval)", "data ~> $eval"])("%s is refused", (source) => {
  expect(() => compileExpression(source)).toThrow("$eval is not available");
});

test("the names that an expression can read are an upper bound", () => {
  expect(compileExpression("data.items[price > nodes.limit.max]").names).toEqual(
    new Set(["data", "items", "price", "nodes", "limit", "max"]),
  );
  for (const source of ["$", "$$.data", "*", "data.**", "$keys()", "$lookup('data')"]) {
    expect(compileExpression(source).names, source).toBeUndefined();
  }
  expect(compileExpression("nodes.a.x + nodes.`b-c`.y").nodes).toEqual(new Set(["a", "b-c"]));
});

test.each([
  ["a literal", `${"(".repeat(8)}[${"1,".repeat(1_900)}1]${" ?? b)".repeat(8)}`],
  [
    "a quote in a regular expression",
    `${"(".repeat(10)}$match(a, /"/)${" ?? [1,2,3,4,5,6,7,8,9])".repeat(10)}`,
  ],
  ["a bracket in a text", `${"(".repeat(12)}a & "("${' & "(" ?? b)'.repeat(12)}`],
  ["a regular expression behind a word", `${"(".repeat(12)}a and /"/${" ?? b)".repeat(12)}`],
])("nesting is found behind %s", (_name, source) => {
  expect(() => compileExpression(source)).toThrow("nests the operators ?? and ?: too deeply");
});

test("many default operators beside each other are no nesting", () => {
  const fields = Array.from({ length: 100 }, (_, at) => `"k${at}": data.k${at} ?? 0`);
  expect(compileExpression(`{${fields.join(", ")}}`).run).toBeDefined();
  expect(compileExpression("a ?? b ?? c ?? d ?: e ?? f ?? g ?? h ?? i ?? j ?? k").run).toBeDefined();
});

test("a path of hundreds of steps is refused", () => {
  expect(() => compileExpression(`a${".a".repeat(300)}`)).toThrow("more than 256 steps");
  expect(compileExpression(`[${"1.5,".repeat(400)}1]`).run).toBeDefined();
});

test("comments and regular expressions weigh as much as they are long", () => {
  expect(parseWeight("a /* b ?? c */ + d").weight).toBe(parseWeight("a").weight + "/* b ?? c */".length + 2);
  expect(parseWeight("$m(a, /x\\\\/)").weight).toBeGreaterThan(0);
  expect(parseWeight(String.raw`$match(a, /b\/[)?]c/) ?? d`).weight).toBeGreaterThan(20);
});

test("an expression that finds no room on the stack is refused, not thrown as something else", () => {
  let outcome: unknown;
  const descend = (): void => {
    try {
      descend();
    } catch {
      // Back up the stack, frame by frame, until there is room enough to begin.
      if (outcome instanceof ExpressionError) return;
      try {
        compileExpression("((((((((1))))))))");
      } catch (error) {
        outcome = error;
      }
      if (!(outcome instanceof ExpressionError)) throw outcome;
    }
  };
  descend();
  expect(outcome).toBeInstanceOf(ExpressionError);
});
