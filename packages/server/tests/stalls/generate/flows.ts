import * as fc from "fast-check";
import type { FlowDeed } from "../case.ts";
import { sources } from "./expressions.ts";
import { fitted, MAX_VALUES_STORED } from "../fitted.ts";
import { largeLists, largeTexts, values } from "./values.ts";
import type { Recipe } from "../recipes.ts";

const MAX_GRAPH_BYTES = 6_000_000;
const MAX_PAYLOAD_BYTES = 2_900_000;
const MAX_NODES = 1_999;
const MAX_EDGES = 10_000;
const MAX_NESTING = 7;

interface Plan {
  readonly shape: "line" | "wide" | "layers" | "all" | "nested";
  readonly nodes: number;
  readonly idLength: number;
  readonly inputs: Recipe;
}

const counts = fc.constantFrom(1, 2, 10, 50, 200, 500, MAX_NODES);

const nested = (depth: number, operator: string): string =>
  `${"(".repeat(depth)}data.a${Array.from({ length: depth }, (_, at) => ` ${operator} data.b${at})`).join("")}`;

/** What stands in every node of a flow. */
const inputs: fc.Arbitrary<Recipe> = fc.oneof(
  values.map((value) => ({ a: value })),
  fc.record({
    $keys: fc.constant("k"),
    times: counts,
    value: fc.constantFrom("{{ data.big }}", "x {{ data.big }}"),
  }),
  fc.record({
    $keys: fc.constant("k"),
    times: fc.constantFrom(1, 10, 100),
    value: sources.map((source) => `{{ ${source} }}`),
  }),
  fc
    .tuple(fc.integer({ min: 1, max: 16 }), fc.constantFrom("??", "?:", "&", "and", "+"))
    .map(([depth, operator]) => ({ a: `{{ ${nested(depth, operator)} }}` })),
  fc
    .tuple(
      fc.constantFrom("(", "[", "-", "$not(", "{'a':", "a.", "/*", "{{"),
      fc.constantFrom(10, 60, 500, 4_000),
    )
    .map(([opening, times]) => ({ a: `{{ ${opening.repeat(Math.floor(times / opening.length))} }}` })),
  fc
    .tuple(
      fc.constantFrom("{{ data.a }}", "{{ 1 }}", "}}", "{{'", "{{ {{"),
      fc.constantFrom(10, 1_000, 50_000),
    )
    .map(([unit, times]) => ({ a: unit.repeat(times) })),
  fc.record({
    a: fc.record({
      $deep: fc.constantFrom("list", "object"),
      depth: fc.nat(70),
      value: fc.constant("{{ data.big }}"),
    }),
  }) as fc.Arbitrary<Recipe>,
);

const plans: fc.Arbitrary<Plan> = fc.record({
  shape: fc.constantFrom("line", "wide", "layers", "all", "nested"),
  nodes: counts,
  idLength: fc.constantFrom(1, 60),
  inputs,
});

function graphOf(plan: Plan): Recipe {
  const count = Math.min(plan.nodes, MAX_NODES);
  const share = fitted(plan.inputs, MAX_GRAPH_BYTES / count, MAX_VALUES_STORED / count);
  const id = (at: number) => `n${at}`.padEnd(plan.idLength, "_");
  const start = { id: "start", type: "start", data: {} };
  if (plan.shape === "nested") return nestedGraph(start, id, share, Math.min(count, MAX_NESTING));
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: id(at),
    type: "set",
    data: { inputs: { values: share } },
  }));
  return { nodes: [start, ...nodes], edges: edgesOf(plan.shape, count, id) } as unknown as Recipe;
}

function edgesOf(shape: Plan["shape"], count: number, id: (at: number) => string) {
  const width = shape === "layers" ? Math.max(1, Math.floor(Math.sqrt(count))) : 1;
  const edges: { source: string; target: string }[] = [];
  for (let at = 0; at < count; at++) {
    if (shape === "wide" || at < width) edges.push({ source: "start", target: id(at) });
    else if (shape === "line") edges.push({ source: id(at - 1), target: id(at) });
    else {
      const layer = Math.floor(at / width);
      const [from, to] = shape === "all" ? [0, at] : [(layer - 1) * width, layer * width];
      for (let source = from; source < to && edges.length < MAX_EDGES; source++)
        edges.push({ source: id(source), target: id(at) });
    }
  }
  return edges;
}

/** Loops in loops, each with as many rounds as it may have. */
function nestedGraph(start: object, id: (at: number) => string, share: Recipe, depth: number): Recipe {
  const loops = Array.from({ length: depth }, (_, at) => ({
    id: id(at),
    type: at % 2 === 0 ? "for-each" : "while",
    data: {
      inputs:
        at % 2 === 0
          ? { items: "{{ data.list }}", concurrency: 100 }
          : { condition: true, maxIterations: 10_000 },
    },
    ...(at > 0 && { parentId: id(at - 1) }),
  }));
  const inner = { id: "in", type: "set", data: { inputs: { values: share } }, parentId: id(depth - 1) };
  return {
    nodes: [start, ...loops, inner],
    edges: [{ source: "start", target: id(0) }],
  } as unknown as Recipe;
}

/** Flows as large and as tangled as documents may be, with references to a large value. */
export const flowDeeds: fc.Arbitrary<FlowDeed> = fc
  .record({
    plan: plans,
    big: fc.oneof(largeTexts, largeLists),
    list: largeLists,
    runs: fc.constantFrom(1, 1, 1, 5),
    copies: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 12),
  })
  .map(({ plan, big, list, runs, copies }) => ({
    action: "flow",
    graph: graphOf(plan),
    payload: { data: fitted({ big, ...(plan.shape === "nested" && { list }) }, MAX_PAYLOAD_BYTES) },
    runs,
    copies,
  }));
