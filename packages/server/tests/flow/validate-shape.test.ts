import type { FlowGraph } from "@millrace/contract/documents/graph";
import { describe, expect, test } from "vitest";
import { graphOf, inside, node } from "./support.ts";
import { around, end, start, validate } from "./validate-support.ts";

describe("a flow is invalid for its shape, and the text names the node and the fix, with", () => {
  const loop = node("each", "for-each", { items: [] });
  test.each<[string, FlowGraph, RegExp]>([
    ["no nodes", graphOf([]), /no nodes; add a "start"/],
    ["no start", graphOf([end]), /no "start" node; add one/],
    [
      "two starts",
      graphOf([start, node("s2", "start"), end], "s end"),
      /2 "start" nodes \("s", "s2"\); keep one/,
    ],
    ["ids used twice", graphOf([start, end, end], "s end"), /Node "end": the id is used more than once/],
    ["an unknown type", around(node("x", "magic")), /Node "x": the type "magic" does not exist/],
    ["an edge to nowhere", graphOf([start, end], "s end, s gone"), /no node "gone"; remove the edge/],
    ["an edge from nowhere", graphOf([start, end], "s end, gone end"), /no node "gone"/],
    [
      "an edge into the start",
      graphOf([start, end], "s end, end s"),
      /the start node "s" cannot have incoming edges/,
    ],
    [
      "an unknown handle",
      around(node("x", "if", { condition: 1 })),
      /Node "x": edge x → end leaves by the handle "out", which it does not have; use true, false\./,
    ],
    [
      "an edge behind the end",
      graphOf([start, end, node("x", "return")], "s end, end x"),
      /nothing can follow a node of type "return"; remove edge end → x/,
    ],
    [
      "an error handle without branch",
      graphOf([start, node("x", "set", { values: {} }), end], "s x, x:error end"),
      /"error".*onError: branch/,
    ],
    [
      "an edge out of a container",
      graphOf(
        [start, loop, inside("each", node("i", "set", { values: {} })), end],
        "s each, each end, i end",
      ),
      /crosses the boundary of a container/,
    ],
    [
      "an edge into a container",
      graphOf([start, loop, inside("each", node("i", "set", { values: {} })), end], "s each, each end, s i"),
      /crosses the boundary/,
    ],
    [
      "a cycle",
      graphOf(
        [start, node("a", "set", { values: {} }), node("b", "set", { values: {} }), end],
        "s a, a b, b a, b end",
      ),
      /cycle \((a → b → a|b → a → b)\); use a for-each/,
    ],
    [
      "an edge to itself",
      graphOf([start, node("a", "set", { values: {} }), end], "s a, a a, a end"),
      /cycle \(a → a\)/,
    ],
    [
      "a parent that does not exist",
      graphOf([start, inside("gone", node("i", "set", { values: {} })), end], "s end"),
      /parentId "gone" is not a node/,
    ],
    [
      "a parent that is no container",
      graphOf([start, inside("end", node("i", "set", { values: {} })), end], "s end"),
      /parentId "end" is not a container/,
    ],
    [
      "a start inside a container",
      graphOf([inside("each", start), loop, end], "each end"),
      /cannot be inside a container/,
    ],
    [
      "containers in a cycle",
      graphOf(
        [
          start,
          inside("b", node("a", "for-each", { items: [] })),
          inside("a", node("b", "for-each", { items: [] })),
          end,
        ],
        "s end",
      ),
      /nested deeper than 8 levels, or in a cycle/,
    ],
  ])("%s", (_name, graph, expected) => {
    expect(validate(graph).errors.join("\n")).toMatch(expected);
  });
});
