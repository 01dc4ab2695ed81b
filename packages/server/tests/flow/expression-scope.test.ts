import { describe, expect, it } from "vitest";
import jsonata from "jsonata";
import type { ExpressionNode } from "../../src/domain/flow/expressions/expression-node.ts";
import { rootNames } from "../../src/domain/flow/expressions/root-names.ts";
import { resumeKey, resumeTarget } from "../../src/domain/flow/resume-target.ts";
import { graphOf, inside, node } from "./support.ts";
import { around, end, start, validate } from "./validate-support.ts";

describe("the names that an expression reads out of its scope", () => {
  it.each([
    ["data.lines[price > 3].name", "data"],
    ["foo", "foo"],
    ["{'a': b, c: nodes.x}", "b c nodes"],
    ["nodes.a.b{c: d}", "nodes"],
    ["$map(data.x, function($v) { $v.y + zed })", "data zed"],
    ["$sum(item.(price * qty))", "item"],
    ["(a; $x := b; $x.c)", "a b"],
    ["-a + b[0] & c", "a b c"],
    ["a ? b : c", "a b c"],
    ["a ~> $f(b)", "a b"],
    ["[a, b..c]", "a b c"],
    ["items^(>price, name)", "items"],
    ["`weird-name`.x", "weird-name"],
    ["trigger.body.lines.{'n': name}", "trigger"],
    ["a and b or c in d", "a b c d"],
    ["(x.y).z", "x"],
    ["$lookup(nodes, 'x')", "nodes"],
    ["*.foo", ""],
    ["**.bar", ""],
    ["$.foo", ""],
    ["'text'", ""],
    ["$substring(?, 1, 2)", ""],
  ])("%s: %s", (source, names) => {
    expect([...rootNames(jsonata(source).ast() as ExpressionNode)].toSorted().join(" ")).toBe(names);
  });
});

const set = (value: unknown) => node("x", "set", { values: { a: value } });
const errorsOf = (...middle: ReturnType<typeof node>[]) => validate(around(...middle)).errors.join("\n");

describe("an expression", () => {
  it.each([
    [
      "{{ dta.amount }}",
      /Node "x": an expression in input "values" reads "dta", which is not in its scope; did you mean data\?/,
    ],
    [
      "{{ customer.name }}",
      /reads "customer", which is not in its scope; there are trigger, data, nodes, run/,
    ],
    ["Hello {{ data.a }} and {{ boddy }}", /reads "boddy"/],
    ["{{ item.name }}", /reads "item", which is there inside of containers alone/],
    ["{{ index + 1 }}", /reads "index"/],
    [
      "{{ nodes.gone.a }}",
      /reads nodes\.gone, but there is no such node; an id with - is written in backticks/,
    ],
    ["{{ nodes.ende.a }}", /did you mean nodes\.end\?/],
    ["{{ resume.url }}", /reads resume\.url, but no approval follows the node/],
  ])("that reads what cannot be there is an error: %s", (value, expected) => {
    expect(errorsOf(set(value))).toMatch(expected);
  });

  it.each([
    "{{ data.anything.at[all > 1].all }}",
    "{{ trigger.body.x & trigger.query.y & run.id }}",
    "{{ vars.region }}",
    "{{ data.resume.url }}",
    "{{ $map(data.lines, function($l) { $l.price * 2 }) }}",
    "{{ nodes.s.body }}",
    "{{ $now() }}",
    "plain text",
  ])("that reads what may be there is none: %s", (value) => {
    expect(errorsOf(set(value))).toBe("");
  });

  it("inside of a container, or in a condition, reads item and index", () => {
    const each = node("each", "for-each", { items: [] });
    const inner = inside("each", node("y", "set", { values: { a: "{{ item.a & index }}" } }));
    expect(validate(graphOf([start, each, inner, end], "s each, each end")).errors).toEqual([]);
    expect(errorsOf(node("x", "while", { condition: "{{ index < 3 }}" }))).not.toContain("reads");
  });

  it("of a transform reads the input that it is given, whatever its names are", () => {
    const expression = "customer.name & nodes.gone.a";
    expect(errorsOf(node("x", "transform", { expression }))).toContain('reads "customer"');
    const given = errorsOf(node("x", "transform", { expression, input: "{{ data }}" }));
    expect(given).not.toContain('reads "customer"');
  });
});

describe("the approval that resume.url leads to", () => {
  const nodes = new Map(
    [
      { id: "a", type: "set" },
      { id: "each", type: "for-each" },
      { id: "in", type: "set", parentId: "each" },
      { id: "inner", type: "for-each", parentId: "each" },
      { id: "deep", type: "set", parentId: "inner" },
      { id: "askIn", type: "approval", parentId: "each" },
      { id: "ask", type: "approval" },
      { id: "loose", type: "set", parentId: "gone" },
      { id: "self", type: "for-each", parentId: "self" },
    ].map((one) => [one.id, one] as const),
  );
  const edges = ["a each", "each ask", "inner askIn", "a a"].map((edge) => {
    const [source, target] = edge.split(" ") as [string, string];
    return { source, target };
  });
  const outgoing = Map.groupBy(edges, ({ source }) => source);
  const targetOf = (id: string) => resumeTarget(nodes.get(id)!, nodes, outgoing);

  it("is the nearest one ahead, in its own scope or in one around it", () => {
    expect(targetOf("a")).toEqual({ id: "ask", levelsUp: 0 });
    expect(targetOf("inner")).toEqual({ id: "askIn", levelsUp: 0 });
    expect(targetOf("deep")).toEqual({ id: "askIn", levelsUp: 1 });
    expect(targetOf("in")).toEqual({ id: "ask", levelsUp: 1 });
    expect(targetOf("ask")).toEqual({ id: "ask", levelsUp: 0 });
    expect(targetOf("loose")).toBeUndefined();
    expect(targetOf("self")).toBeUndefined();
  });

  it("has a key of the same round", () => {
    expect(resumeKey("a", { id: "ask", levelsUp: 0 })).toBe("ask");
    expect(resumeKey("in[3]", { id: "askIn", levelsUp: 0 })).toBe("askIn[3]");
    expect(resumeKey("in[3]", { id: "ask", levelsUp: 1 })).toBe("ask");
    expect(resumeKey("inner[2].deep[3]", { id: "askIn", levelsUp: 1 })).toBe("askIn[2]");
    expect(resumeKey("c[0].inner[2].deep[3]", { id: "askIn", levelsUp: 1 })).toBe("c[0].askIn[2]");
    expect(resumeKey("inner[2].deep[3]", { id: "ask", levelsUp: 2 })).toBe("ask");
  });
});
