import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFlow, type CompiledScope } from "../../src/domain/flow/compile.ts";
import { settleNode, startPlan } from "../../src/domain/flow/plan.ts";
import { catalogue, graphOf, node } from "./support.ts";

interface RandomGraph {
  readonly scope: CompiledScope;
  /** The way that each node leaves by. */
  readonly handles: readonly string[];
}

/** Node 0 is the start; edges lead from lower to higher numbers, so that there is no circle. */
const randomGraph = fc
  .record({
    size: fc.integer({ min: 2, max: 14 }),
    edges: fc.array(fc.tuple(fc.nat(13), fc.nat(13), fc.boolean()), { maxLength: 40 }),
    any: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
    ways: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
  })
  .map(({ size, edges, any, ways }): RandomGraph => {
    const nodes = Array.from({ length: size }, (_, index) =>
      index === 0
        ? node("n0", "start")
        : node(`n${index}`, "if", { condition: 1 }, { join: any[index] ? "any" : "all" }),
    );
    const lines = edges
      .filter(([from, to]) => from < to && to < size)
      .map(([from, to, way]) => (from === 0 ? `n0 n${to}` : `n${from}:${String(way)} n${to}`));
    const { root } = compileFlow(graphOf(nodes, lines.join(",")), catalogue);
    return { scope: root, handles: nodes.map((_, index) => (index === 0 ? "out" : String(ways[index]))) };
  });

/** Runs a plan to its end; `choose` picks which of the nodes under way ends next. */
function runPlan({ scope, handles }: RandomGraph, choose: (count: number) => number) {
  const { plan, ready } = startPlan(scope);
  const began = [...ready];
  const underWay = [...ready];
  const ended: number[] = [];
  const endedBefore = new Map<number, ReadonlySet<number>>();
  while (underWay.length > 0) {
    const [position] = underWay.splice(choose(underWay.length), 1) as [number];
    ended.push(position);
    for (const next of settleNode(scope, plan, position, handles[position] as string)) {
      began.push(next);
      underWay.push(next);
      endedBefore.set(next, new Set(ended));
    }
  }
  return { began, endedBefore };
}

/** What must run, said in another way: a node runs if it begins or an edge from a node that runs is taken. */
function expectedToRun({ scope, handles }: RandomGraph): Set<number> {
  const runs = new Set<number>(scope.entries);
  for (const { position, outgoing } of scope.nodes) {
    if (!runs.has(position)) continue;
    for (const edge of outgoing) if (edge.handle === handles[position]) runs.add(edge.target);
  }
  return runs;
}

describe("a plan", () => {
  test("runs exactly the nodes that a taken path leads to, each once, in whatever order nodes end", () => {
    fc.assert(
      fc.property(randomGraph, fc.infiniteStream(fc.nat(1_000)), (graph, choices) => {
        const { began } = runPlan(graph, (count) => (choices.next().value as number) % count);
        expect(new Set(began).size).toBe(began.length);
        expect(new Set(began)).toEqual(expectedToRun(graph));
      }),
      { numRuns: 2_000 },
    );
  });

  test("never runs a node before its inputs: all that run, or one of them where it joins any", () => {
    fc.assert(
      fc.property(randomGraph, fc.infiniteStream(fc.nat(1_000)), (graph, choices) => {
        const { endedBefore } = runPlan(graph, (count) => (choices.next().value as number) % count);
        const runs = expectedToRun(graph);
        for (const [position, ended] of endedBefore) {
          const sources = graph.scope.nodes.filter(({ outgoing }) =>
            outgoing.some(({ target }) => target === position),
          );
          const running = sources
            .filter((source) => runs.has(source.position))
            .map((source) => source.position);
          const taken = sources.filter(
            (source) =>
              ended.has(source.position) &&
              source.outgoing.some(
                (edge) => edge.target === position && edge.handle === graph.handles[source.position],
              ),
          );
          expect(taken.length).toBeGreaterThan(0);
          if (!graph.scope.nodes[position]?.joinsAny) {
            expect(running.filter((source) => !ended.has(source))).toEqual([]);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("lets a node that joins any wait for the way that is known to have been the first", () => {
    const nodes = [
      node("s", "start"),
      node("a", "set"),
      node("b", "set"),
      node("j", "set", {}, { join: "any" }),
    ];
    const { root } = compileFlow(graphOf(nodes, "s a,s b,a j,b j"), catalogue);
    const known = startPlan(root, new Map([[3, 2]])).plan;
    settleNode(root, known, 0, "out");
    expect(settleNode(root, known, 1, "out")).toEqual([]);
    expect(settleNode(root, known, 2, "out")).toEqual([3]);
    const { plan } = startPlan(root);
    settleNode(root, plan, 0, "out");
    expect(settleNode(root, plan, 1, "out")).toEqual([3]);
    expect(settleNode(root, plan, 2, "out")).toEqual([]);
    expect([...plan.winners!]).toEqual([[3, 1]]);
  });

  test("does not wait for a way that is not taken any more", () => {
    const nodes = [
      node("s", "start"),
      node("a", "set"),
      node("b", "if", { condition: 1 }),
      node("j", "set", {}, { join: "any" }),
    ];
    const { root } = compileFlow(graphOf(nodes, "s a,s b,a j,b:true j"), catalogue);
    const { plan } = startPlan(root, new Map([[3, 2]]));
    settleNode(root, plan, 0, "out");
    expect(settleNode(root, plan, 1, "out")).toEqual([]);
    expect(settleNode(root, plan, 2, "false")).toEqual([3]);
  });

  test("carries death through a chain of 2,000 nodes", () => {
    const ids = Array.from({ length: 1_998 }, (_, index) => `n${index}`);
    const nodes = [
      node("s", "start"),
      node("if", "if", { condition: 1 }),
      ...ids.map((id) => node(id, "set", { values: {} })),
    ];
    const edges = ["s if", "if:true n0", ...ids.slice(1).map((id, index) => `n${index} ${id}`)];
    const { root } = compileFlow(graphOf(nodes, edges.join(",")), catalogue);
    const { plan } = startPlan(root);
    expect(settleNode(root, plan, 0, "out")).toEqual([1]);
    expect(settleNode(root, plan, 1, "false")).toEqual([]);
    expect(plan.decided.every((decided) => decided === 1)).toBe(true);
  });
});
