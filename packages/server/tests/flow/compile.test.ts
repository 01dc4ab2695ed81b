import { expect, test } from "vitest";
import { assembleFlow, compileFlow } from "../../src/domain/flow/compile.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { takeNext } from "../../src/domain/flow/take-next.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { catalogue, graphOf, inside, node } from "./support.ts";

test("a flow is compiled with its containers, edges and settings", () => {
  const flow = compileFlow(
    graphOf(
      [
        node("s", "start"),
        node(
          "each",
          "for-each",
          { items: "{{ data.items }}" },
          { onError: "branch", retry: { maxAttempts: 3 } },
        ),
        inside(
          "each",
          node("a", "set", { values: { x: "{{ item }}" } }, { retry: { maxAttempts: 3, backoffSeconds: 2 } }),
        ),
        inside(
          "each",
          node("b", "http", { url: "{{ nodes.a.x }}" }, { timeoutSeconds: 5, credential: "c", join: "any" }),
        ),
        node("lost", "set", { values: {} }),
        node("end", "return", {}, { join: "any" }),
      ],
      "s each, each end, each:error end, a b",
    ),
    catalogue,
  );
  expect(flow.root.nodes.map(({ id }) => id)).toEqual(["s", "each", "lost", "end"]);
  expect(flow.root.entries).toEqual([0]);
  expect(flow.root.orphans).toEqual([2]);
  const each = flow.nodes.get("each");
  expect(each?.outgoing).toEqual([
    { handle: "done", target: 3 },
    { handle: "error", target: 3 },
  ]);
  expect(each).toMatchObject({ onError: "branch", defaultHandle: "done", maxAttempts: 1 });
  expect(each?.children?.nodes.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(each?.children?.last.map(({ id }) => id)).toEqual(["b"]);
  expect(flow.nodes.get("a")).toMatchObject({
    maxAttempts: 3,
    backoffMs: 2_000,
    onError: "fail",
    joinsAny: false,
  });
  expect(flow.nodes.get("b")).toMatchObject({ timeoutMs: 5_000, credentialId: "c" });
  // One way alone is no choice.
  expect(flow.nodes.get("b")).toMatchObject({ joinsAny: false, sources: [0] });
  expect(flow.nodes.get("end")).toMatchObject({ joinsAny: true, sources: [1, 1] });
  expect(flow.root.anyJoins.map(({ id }) => id)).toEqual(["end"]);
});

test("an input is deferred, bare or nullable as its type says", () => {
  const flow = compileFlow(
    graphOf([
      node("t", "transform", { expression: "data.x" }),
      node("c", "code", { source: "1", input: null }),
    ]),
    catalogue,
  );
  expect(flow.nodes.get("t")?.inputs[0]).toMatchObject({ isDeferred: true, acceptsNull: false });
  expect(flow.nodes.get("t")?.inputs[0]?.template.expressions).toHaveLength(1);
  expect(flow.nodes.get("c")?.inputs.map(({ acceptsNull }) => acceptsNull)).toEqual([false, true]);
});

test("a graph that was never validated is not compiled", () => {
  expect(() => compileFlow(graphOf([node("a", "nope")]), catalogue)).toThrow("unknown type");
  expect(() => compileFlow(graphOf([node("a", "set")], "a gone"), catalogue)).toThrow("leaves its scope");
});

test("nodes that state nothing, and containers without nodes, are compiled with what is usual", () => {
  const bare = (id: string, type: string) => ({ id, type });
  const flow = compileFlow(graphOf([bare("s", "start"), bare("each", "for-each")], "s each"), catalogue);
  expect(flow.nodes.get("s")).toMatchObject({
    inputs: [],
    maxAttempts: 1,
    onError: "fail",
    defaultHandle: "out",
  });
  expect(flow.nodes.get("each")!.children).toEqual({
    nodes: [],
    entries: [],
    orphans: [],
    last: [],
    hasUrgency: false,
    anyJoins: [],
    containers: 0,
  });
  expect(compileFlow(graphOf([]), catalogue).root.nodes).toEqual([]);
});

test("a flow whose inputs were not all read is put together without them, one of an unknown type is not", () => {
  const graph = graphOf([node("s", "start", { a: 1 })]);
  const nothingRead = { inputs: new Map(), bytes: 0 };
  expect(finishSliced(assembleFlow(graph, catalogue, nothingRead)).nodes.get("s")!.inputs).toEqual([]);
  expect(() => finishSliced(assembleFlow(graph, new Map(), nothingRead))).toThrow(
    "Node s has the unknown type start",
  );
});

test("nodes that talk to the outside go first, then those that lead to them", () => {
  const flow = compileFlow(
    graphOf(
      [
        node("s", "start"),
        node("pure", "set", { values: {} }),
        node("leads", "set", { values: {} }),
        node("call", "http", { url: "x" }),
        node("each", "for-each", { items: [] }),
        inside("each", node("inner", "http", { url: "x" })),
        node("last", "set", { values: {} }),
      ],
      "s pure, s leads, leads call, s each, call last, each last",
    ),
    catalogue,
  );
  const urgency = Object.fromEntries([...flow.nodes.values()].map((each) => [each.id, each.urgency]));
  expect(urgency).toEqual({ s: 1, pure: 2, leads: 1, call: 0, each: 1, inner: 0, last: 2 });
  const ready = [1, 2, 4, 3];
  const taken = [1, 2, 3, 4].map(() => takeNext(flow.root, ready).id);
  expect(taken).toEqual(["call", "leads", "each", "pure"]);
  const alike = compileFlow(
    graphOf([node("s", "start"), node("a", "set", { values: {} })], "s a"),
    catalogue,
  );
  expect([takeNext(alike.root, [1, 0]).id, alike.root.hasUrgency]).toEqual(["a", false]);
});

test.each([
  ["set", { values: { at: "{{ $now() }}" } }, true],
  ["set", { values: { at: "{{ data.now }}" } }, false],
  ["code", { source: "return 1" }, true],
])("whether a flow asks for the time is known: %s %j", (type, inputs, expected) => {
  const flow = compileFlow(graphOf([node("x", type, inputs)]), nodeTypes);
  expect(flow.readsClock).toBe(expected);
});

test("a node that reads resume.url knows the approval it leads to, others know none", () => {
  const graph = graphOf(
    [
      node("s", "start"),
      node("mail", "set", { values: { link: "{{ resume.url }}" } }),
      node("quiet", "set", { values: { link: "{{ data.resume.url }}" } }),
      node("ask", "approval", { message: "{{ resume.url }}" }),
      node("late", "set", { values: { link: "{{ resume.url }}" } }),
    ],
    "s mail, mail quiet, quiet ask, ask late",
  );
  const flow = compileFlow(graph, nodeTypes);
  const resumes = Object.fromEntries([...flow.nodes.values()].map((each) => [each.id, each.resumes]));
  const ask = { id: "ask", levelsUp: 0 };
  expect(resumes).toEqual({ s: undefined, mail: ask, quiet: undefined, ask, late: undefined });
});
