import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExpressionError } from "../../src/domain/flow/expressions/expression-error.ts";
import {
  compileTemplate,
  evaluateTemplate,
  readBareTemplate,
} from "../../src/domain/flow/expressions/template.ts";
import { ParseBudget } from "../../src/domain/flow/expressions/parse-expression.ts";
import { scanTemplate } from "../../src/domain/flow/expressions/template-scanner.ts";

const root = {
  data: { name: "Ada", amount: 12.5, list: [1, 2], none: null, yes: true, text: "{{ data.name }}" },
  trigger: { body: { a: { b: 1 } } },
};

function environment(evaluateUnbounded = async (): Promise<unknown> => "outside") {
  return { root, nowMs: 0, evaluateUnbounded };
}

function evaluate(source: unknown): unknown {
  return evaluateTemplate(compileTemplate(source), environment());
}

describe("a template", () => {
  test("that is exactly one expression keeps the type", () => {
    expect(evaluate("{{ data.amount }}")).toBe(12.5);
    expect(evaluate("{{ data.list }}")).toEqual([1, 2]);
    expect(evaluate("{{ data.yes }}")).toBe(true);
    expect(evaluate("{{ data.none }}")).toBeNull();
    expect(evaluate("{{ trigger.body }}")).toEqual({ a: { b: 1 } });
  });

  test("mixes text and values", () => {
    expect(evaluate("Hello {{ data.name }}, {{data.amount}}!")).toBe("Hello Ada, 12.5!");
    expect(evaluate("{{ data.list }} {{ trigger.body.a }} {{ data.yes }}")).toBe('[1,2] {"b":1} true');
    expect(evaluate(" {{ data.amount }}")).toBe(" 12.5");
  });

  test("leaves a missing value out of an object, null in a list, empty in a text", () => {
    expect(evaluate({ a: "{{ data.missing }}", b: 1 })).toEqual({ b: 1 });
    expect(evaluate(["{{ data.missing }}", 1])).toEqual([null, 1]);
    expect(evaluate("[{{ data.missing }}{{ data.none }}]")).toBe("[]");
    expect(evaluate("{{ data.missing }}")).toBeUndefined();
  });

  test("finds an expression in every place, also where it stands elsewhere too", () => {
    const leaf = fc.constantFrom(
      "{{ data.name }}",
      "{{ data.amount }}",
      "<{{ data.name }}>",
      "plain",
      1,
      null,
    );
    const names = fc.string().filter((name) => name !== "__proto__");
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("tree")), fc.dictionary(names, tie("tree"))),
    }));
    const answers = new Map<unknown, unknown>([
      ["{{ data.name }}", "Ada"],
      ["{{ data.amount }}", 12.5],
      ["<{{ data.name }}>", "<Ada>"],
    ]);
    fc.assert(
      fc.property(tree, (source) => {
        const expected = JSON.parse(JSON.stringify(source), (_key, value) => answers.get(value) ?? value);
        expect(evaluate(source)).toEqual(expected);
      }),
    );
    expect(evaluate([["{{ data.name }}", 0], { a: ["{{ data.name }}"] }])).toEqual([
      ["Ada", 0],
      { a: ["Ada"] },
    ]);
  });

  test("has a value of its own in every place where chance decides", async () => {
    let count = 0;
    const source = [
      "{{ $random() }}",
      { a: "{{ $random() }}" },
      "{{ $shuffle(data.list) }}",
      "{{ $random() }}",
    ];
    const value = evaluateTemplate(
      compileTemplate(source),
      environment(async () => (count += 1)),
    );
    expect(await value).toEqual([1, { a: 2 }, 3, 4]);
  });

  test("keeps plain values as they are", () => {
    const value = { a: [1, { b: "x } y }} z" }], c: null };
    expect(evaluate(value)).toBe(value);
    expect(compileTemplate(value).expressions).toEqual([]);
  });

  test("is evaluated once: text that arrives as data stays text", () => {
    expect(evaluate("{{ data.text }}")).toBe("{{ data.name }}");
    expect(evaluate("<{{ data.text }}>")).toBe("<{{ data.name }}>");
  });

  test("never makes a prototype", () => {
    const source: unknown = JSON.parse(
      '{"__proto__": {"polluted": "{{ data.yes }}"}, "a": "{{ data.yes }}"}',
    );
    const result = evaluate(source) as object;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(result).toEqual({ a: true });
  });

  test("waits for the sandbox only where an expression needs it", async () => {
    const calls: unknown[] = [];
    const outside = async (...call: unknown[]) => {
      calls.push(call);
      return [3];
    };
    const template = compileTemplate({ a: "{{ $map(data.list, $string) }}", b: "n: {{ data.amount }}" });
    const result = evaluateTemplate(template, environment(outside as () => Promise<unknown>));
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toEqual({ a: [3], b: "n: 12.5" });
    expect(calls).toEqual([["$map(data.list, $string)", { data: root.data }]]);
  });

  test("hands the sandbox everything where the expression could read everything", async () => {
    const calls: unknown[] = [];
    const outside = async (...call: unknown[]) => calls.push(call);
    await evaluateTemplate(compileTemplate("{{ **.b }}"), environment(outside as () => Promise<unknown>));
    expect(calls).toEqual([["**.b", root]]);
  });

  test("writes large values into texts piece by piece, and lets others have their turn", async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({ at, text: "x".repeat(100) }));
    let turns = 0;
    const atOnce = { ...environment(async () => rows), root: { data: rows } };
    const inTurns = { ...atOnce, giveWay: async () => void turns++ };
    for (const source of ["rows: {{ data }}", "rows: {{ $map(data, $string) }}"]) {
      turns = 0;
      for (const where of [atOnce, inTurns])
        expect(await evaluateTemplate(compileTemplate(source), where)).toBe(`rows: ${JSON.stringify(rows)}`);
      expect(turns).toBeGreaterThan(2);
    }
  });

  test("fails when the answers of the sandbox make a text too long", async () => {
    const template = compileTemplate("{{ $map(data.list, $string) }} {{ $map(data.list, $number) }}");
    const value = evaluateTemplate(
      template,
      environment(async () => "x".repeat(3_000_000)),
    );
    await expect(value).rejects.toThrow("5 MB");
  });

  test("fails when a text or its nesting grows out of bounds", () => {
    const big = {
      root: { data: "x".repeat(3_000_000) },
      nowMs: 0,
      evaluateUnbounded: async () => undefined,
    };
    expect(() => evaluateTemplate(compileTemplate("{{ data }} {{ data }}"), big)).toThrow(ExpressionError);
    let deep: unknown = "{{ 1 }}";
    for (let depth = 0; depth < 70; depth += 1) deep = [deep];
    expect(() => compileTemplate(deep)).toThrow("deeper than 64");
  });
});

test("a bare expression is one without braces", () => {
  const template = readBareTemplate("data.amount * 2", new ParseBudget());
  expect(evaluateTemplate(template, environment())).toBe(25);
});

describe("the end of an expression", () => {
  const sourcesOf = (text: string) =>
    [...scanTemplate(text)].map((part) => (part.kind === "text" ? part.text : [part.source]));

  test.each<[string, unknown[]]>([
    ["a {{ b }} c", ["a ", ["b"], " c"]],
    ["{{a}}{{b}}", [["a"], ["b"]]],
    ['{{ "}}" & a }}', [['"}}" & a']]],
    ["{{ '}}' & 'it\\'s }}' }}", [["'}}' & 'it\\'s }}'"]]],
    ['{{ {"a": {"b": 1}} }}', [['{"a": {"b": 1}}']]],
    ['{{{"a": {"b": 1}}}}', [['{"a": {"b": 1}}']]],
    ["{{ nodes.`a }} b`.c }}", [["nodes.`a }} b`.c"]]],
    ["{{ a /* }} */ }}", [["a /* }} */"]]],
    ["{{ $match(a, /}}\\/'/) }} b", [["$match(a, /}}\\/'/)"], " b"]],
    ["{{ a / b }} / {{ c / d }}", [["a / b"], " / ", ["c / d"]]],
    ["{{ it's }} b", [["it's"], " b"]],
    ["{{ /* }} b", [["/*"], " b"]],
  ])("of %s is found", (text, parts) => {
    expect(sourcesOf(text)).toEqual(parts);
  });

  test("that is missing is an error that says what to do", () => {
    expect(() => [...scanTemplate("Hello {{ data.name")]).toThrow('"{{" is never closed');
    expect(evaluate('{{ "{{" }} and {{ "}}" }}')).toBe("{{ and }}");
  });
});
