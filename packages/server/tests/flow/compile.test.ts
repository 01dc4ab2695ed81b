import { expect, test } from "vitest";
import { assembleFlow, compileFlow } from "../../src/domain/flow/compile.ts";
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
        node("end", "return"),
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
  expect(flow.nodes.get("b")).toMatchObject({ timeoutMs: 5_000, credentialId: "c", joinsAny: true });
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
  expect(flow.nodes.get("each")!.children).toEqual({ nodes: [], entries: [], orphans: [], last: [] });
  expect(compileFlow(graphOf([]), catalogue).root.nodes).toEqual([]);
});

test("a flow whose inputs were not all read is put together without them, one of an unknown type is not", () => {
  const graph = graphOf([node("s", "start", { a: 1 })]);
  expect(assembleFlow(graph, catalogue, new Map()).nodes.get("s")!.inputs).toEqual([]);
  expect(() => assembleFlow(graph, new Map(), new Map())).toThrow("Node s has the unknown type start");
});
