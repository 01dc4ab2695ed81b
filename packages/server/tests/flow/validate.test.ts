import { expect, test } from "vitest";
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

test.each([
  ["too many", 13_000, (at: number) => `{{ data.v${at} }}`],
  ["too long", 150, (at: number) => `{{ "${"x".repeat(4_000)}${at}" }}`],
])("a flow whose expressions are %s is refused, and reading ends there", (_name, length, expression) => {
  const values = Object.fromEntries(Array.from({ length }, (_, at) => [`v${at}`, expression(at)]));
  const { errors } = validate(around(node("x", "set", { values })));
  expect(errors).toEqual([expect.stringMatching(/^Node "x": the flow has too many expressions/)]);
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
