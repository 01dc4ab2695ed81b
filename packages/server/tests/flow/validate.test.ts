import type { FlowGraph } from "@millrace/contract/documents/graph";
import { describe, expect, test } from "vitest";
import { validateFlow } from "../../src/domain/flow/validate.ts";
import { catalogue, graphOf, inside, node } from "./support.ts";
import { around, end, start, validate } from "./validate-support.ts";

test("a flow that would run has no errors and no warnings", () => {
  const graph = graphOf(
    [
      start,
      node("a", "set", { values: { x: "{{ data.x }}" } }),
      node("each", "for-each", { items: "{{ nodes.a.x }}" }),
      inside("each", node("inner", "set", { values: { y: "{{ item }}" } })),
      node("big", "if", { condition: "{{ $count(nodes.each.items) > 2 }}" }),
      node(
        "sql",
        "sql",
        { query: "select 1" },
        { credential: "pg", retry: { maxAttempts: 3, backoffSeconds: 1 } },
      ),
      end,
    ],
    "s a, a each, each big, big:true sql, sql end, big:false end",
  );
  expect(validate(graph)).toEqual({ errors: [], warnings: [] });
});

describe("a flow is invalid, and the text names the node and the fix, with", () => {
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
    [
      "code that no trigger can supply",
      around(node("x", "code")),
      /Node "x": the input "source" is required; fill it in/,
    ],
    [
      "a malformed input",
      around(node("x", "http", { url: "not a url" })),
      /the input "url" is not valid: Invalid URL/,
    ],
    [
      "a malformed optional input",
      around(node("x", "http", { url: "https://a.example", method: "YELL" })),
      /the input "method" is not valid/,
    ],
    [
      "an expression that does not parse",
      around(node("x", "set", { values: { a: { b: "{{ data. }}" } } })),
      /Node "x": the expression in input "values" cannot be read: /,
    ],
    [
      "an expression that is not closed",
      around(node("x", "set", { values: { a: "{{ data" } })),
      /never closed/,
    ],
    [
      "a bare expression that does not parse",
      around(node("x", "transform", { expression: "data.(" })),
      /"expression" cannot be read/,
    ],
    [
      "an expression that is 20,000 deep",
      around(node("x", "set", { values: { a: `{{ ${"(".repeat(20_000)} }}` } })),
      /cannot be read/,
    ],
    [
      "a required credential missing",
      around(node("x", "sql", { query: "q" })),
      /needs a credential \(postgres\); choose one/,
    ],
    [
      "an unknown credential",
      around(node("x", "sql", { query: "q" }, { credential: "nope" })),
      /no credential "nope"/,
    ],
    [
      "a credential of the wrong type",
      around(node("x", "sql", { query: "q" }, { credential: "web" })),
      /is of type http-bearer; choose one of type postgres/,
    ],
    [
      "a credential that nothing uses",
      around(node("x", "set", { values: {} }, { credential: "web" })),
      /take no credential/,
    ],
    [
      "a disabled node that is reached",
      around(node("x", "set", { values: {} }, { disabled: true })),
      /disabled but can be reached/,
    ],
    [
      "an unknown flow",
      around(node("x", "run-flow", { flowId: "flow_2" })),
      /no flow "flow_2" in the organization; correct "flowId"/,
    ],
    ["an unknown agent", around(node("x", "agent", { agentId: "agent_2" })), /no agent "agent_2"/],
    [
      "too many attempts",
      around(node("x", "set", { values: {} }, { retry: { maxAttempts: 99 } })),
      /maxAttempts must be a whole number from 1 to 10/,
    ],
    [
      "a container to retry",
      graphOf(
        [start, node("each", "for-each", { items: [] }, { retry: { maxAttempts: 2 } }), end],
        "s each, each end",
      ),
      /cannot be retried as a whole/,
    ],
    [
      "a negative back-off",
      around(node("x", "set", { values: {} }, { retry: { backoffSeconds: -1 } })),
      /backoffSeconds must be/,
    ],
    [
      "a timeout of nothing",
      around(node("x", "set", { values: {} }, { timeoutSeconds: 0 })),
      /timeoutSeconds must be/,
    ],
    [
      "an unknown error setting",
      around(node("x", "set", { values: {} }, { onError: "ignore" })),
      /onError is "ignore"; use fail, continue or branch/,
    ],
    [
      "an unknown join",
      around(node("x", "set", { values: {} }, { join: "some" })),
      /join is "some"; use all or any/,
    ],
    [
      "an override key of two readings",
      graphOf(
        [start, node("a", "for-each", { items: [] }), node("a_b", "http", { url: "https://a.example" }), end],
        "s a, a a_b, a_b end",
      ),
      /"a_b_c" could mean its input "c" or "b_c" of node "a"; rename/,
    ],
  ])("%s", (_name, graph, expected) => {
    expect(validate(graph).errors.join("\n")).toMatch(expected);
  });
});

test("edge ids that are used twice are an error, edges without an id are not", () => {
  const graph = graphOf([start, end], "s end, s end");
  expect(validate(graph).errors).toEqual([]);
  for (const edge of graph.edges) edge.id = "e1";
  expect(validate(graph).errors).toEqual(['Edge "e1": the id is used more than once.']);
});

test("texts name a node by its label too", () => {
  expect(validate(around(node("x", "magic", {}, { label: "Do it" }))).errors[0]).toContain(
    'Node "x" (Do it): ',
  );
});

test("all errors are reported at once", () => {
  const { errors } = validate(graphOf([node("x", "magic"), node("y", "code")], "x gone"));
  expect(errors).toHaveLength(4);
});

test("inputs and targets that expressions fill are only asked for when the flow runs", () => {
  const graph = around(node("x", "run-flow", { flowId: "{{ data.flow }}" }));
  expect(validate(graph).errors).toEqual([]);
  expect(validate(around(node("x", "http", { url: "{{ data.url }}", method: null }))).errors).toEqual([]);
});

test("nodes that state nothing at all are checked like any other", () => {
  const bare = (id: string, type: string) => ({ id, type });
  const { errors } = validate(
    graphOf(
      [
        bare("s", "start"),
        bare("x", "set"),
        bare("each", "for-each"),
        bare("if", "if"),
        bare("end", "return"),
      ],
      "s x, x each, each if, if:true end",
    ),
  );
  expect(errors).toEqual([]);
});

test("a cycle is named beside an edge to nowhere", () => {
  const set = (id: string) => node(id, "set", { values: {} });
  const { errors } = validate(graphOf([start, set("a"), set("b"), end], "s end, a b, b a, a gone"));
  expect(errors).toEqual([expect.stringContaining('no node "gone"'), expect.stringMatching(/form a cycle/)]);
});

test("a time limit of more than a day and a flow that exists", () => {
  const call = node("x", "run-flow", { flowId: "flow_1" }, { timeoutSeconds: 1e9, onError: "branch" });
  const { errors } = validate(graphOf([start, call, end], "s x, x end, x:error end"));
  expect(errors).toEqual([expect.stringContaining("timeoutSeconds must be more than 0 and at most")]);
});

test("of more than a hundred texts the first are told, and how many are left", () => {
  const many = Array.from({ length: 150 }, (_, at) => node(`n${at}`, "magic"));
  const { errors } = validate(graphOf([start, ...many, end], "s end"));
  expect(errors).toHaveLength(101);
  expect(errors.at(-1)).toBe("There are 50 more.");
});

test("a flow with too many expressions is refused, and reading ends there", () => {
  const values = Object.fromEntries(
    Array.from({ length: 13_000 }, (_, at) => [`v${at}`, `{{ data.v${at} }}`]),
  );
  const { errors } = validate(around(node("x", "set", { values })));
  expect(errors).toEqual([expect.stringMatching(/^Node "x": the expressions of the flow are too many/)]);
});

test("an error of the service is not told as a fault of the flow", () => {
  const broken = {
    ...catalogue.get("set")!,
    get bareExpressions(): string[] {
      throw new Error("a bug");
    },
  };
  expect(() =>
    validateFlow(around(node("x", "set", { values: {} })), new Map([...catalogue, ["set", broken]]), {
      variables: new Set(),
      hasFlow: () => true,
      hasAgent: () => true,
      credentialType: () => undefined,
    }),
  ).toThrow("a bug");
});

test("nodes that two ways lead to may read what lies before both", () => {
  const set = (id: string, values: object = {}) => node(id, "set", { values });
  const graph = graphOf(
    [
      start,
      set("a"),
      set("b"),
      set("c"),
      set("d", { x: "{{ nodes.a.x }}", y: "{{ nodes.b.x & nodes.c.x }}" }),
      end,
    ],
    "s a, a b, a c, b d, c d, d end",
  );
  expect(validate(graph).warnings.filter((text) => text.includes("before"))).toEqual([]);
});
