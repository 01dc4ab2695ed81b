import type { FlowGraph } from "@millrace/contract/documents/graph";
import { describe, expect, test } from "vitest";
import { graphOf, inside, node } from "./support.ts";
import { around, end, start, validate } from "./validate-support.ts";

describe("a warning, which never blocks, is given for", () => {
  const set = (id: string, value = "1") => node(id, "set", { values: { a: value } });
  test.each<[string, FlowGraph, RegExp]>([
    [
      "a node that is never reached",
      graphOf([start, set("x"), end], "s end"),
      /Node "x": nothing leads to it/,
    ],
    [
      "an output that nobody uses",
      graphOf([start, set("x"), end], "s x, x end"),
      /Node "x": its output is never used/,
    ],
    ["no return", graphOf([start, set("x")], "s x"), /no "return" node/],
    [
      "an input that the type does not have",
      around(node("x", "http", { url: "https://a.example", urll: "" })),
      /has no input "urll"/,
    ],
    [
      "a node that does not come before",
      graphOf(
        [start, set("x", "{{ nodes.y.a }}"), set("y", "{{ nodes.x.a }}"), end],
        "s x, s y, x end, y end",
      ),
      /Node "x": an expression reads nodes.y, which does not come before it; lead an edge from "y"/,
    ],
    [
      "a node inside a container, read from outside",
      graphOf(
        [
          start,
          node("each", "for-each", { items: [] }),
          inside("each", set("i")),
          set("x", "{{ nodes.i.a }}"),
          end,
        ],
        "s each, each x, x end",
      ),
      /reads nodes.i, which does not come before/,
    ],
  ])("%s", (_name, graph, expected) => {
    const { errors, warnings } = validate(graph);
    expect(errors).toEqual([]);
    expect(warnings.join("\n")).toMatch(expected);
  });

  test("no output where an expression may read them all, or where the node is the result", () => {
    const all = graphOf([start, set("x"), node("end", "return", { value: "{{ nodes }}" })], "s x, x end");
    expect(validate(all).warnings).toEqual([]);
    const last = graphOf([start, set("x")], "s x");
    expect(validate(last).warnings).toHaveLength(1);
  });
});

test("what comes before a container can be read inside it, and in a while the round before", () => {
  const read = (id: string) => ({ values: { a: `{{ nodes.${id}.a }}` } });
  const graph = graphOf(
    [
      start,
      node("a", "set", { values: {} }),
      node("loop", "while", { condition: "{{ nodes.last.a }}" }),
      inside("loop", node("each", "for-each", { items: [] })),
      inside("each", node("x", "set", read("a"))),
      inside("loop", node("last", "set", read("each"))),
      inside("loop", node("first", "set", read("last"))),
      node("end", "return", { value: "{{ nodes.first }}" }),
    ],
    "s a, a loop, loop end, each last",
  );
  expect(validate(graph)).toMatchObject({
    errors: [],
    warnings: [expect.stringContaining('Node "end": an expression reads nodes.first')],
  });
});

test("a disabled node that nothing leads to is fine", () => {
  const graph = graphOf([start, node("x", "set", { values: {} }, { disabled: true }), end], "s end");
  expect(validate(graph)).toEqual({ errors: [], warnings: [] });
});
