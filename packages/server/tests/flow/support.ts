import { type FlowGraph, flowGraphSchema } from "@millrace/contract/documents/graph";
import { z } from "zod";
import type { NodeCatalogue, NodeKind } from "../../src/domain/flow/catalogue.ts";

function kind(type: string, inputs: z.ZodObject, more: Partial<NodeKind> = {}): NodeKind {
  return { type, inputs, summary: "For tests.", output: "Anything.", effect: false, ...more };
}

/** Small stand-ins for the catalogue; the rules know nothing of what nodes do. */
export const catalogue: NodeCatalogue = new Map(
  [
    kind("start", z.looseObject({})),
    kind("set", z.object({ values: z.record(z.string(), z.unknown()) })),
    kind("while", z.object({ condition: z.unknown() }), {
      container: true,
      handles: () => ["done"],
      deferredInputs: ["condition"],
    }),
    kind("if", z.object({ condition: z.unknown() }), {
      handles: () => ["true", "false"],
      faultsOf: () => [],
    }),
    kind("for-each", z.object({ items: z.array(z.unknown()), b_c: z.string().optional() }), {
      container: true,
      handles: () => ["done"],
    }),
    kind(
      "http",
      z.object({ url: z.url(), method: z.enum(["GET", "POST"]).optional(), c: z.string().optional() }),
      {
        effect: true,
        credential: { types: ["http-bearer", "http-basic"], required: false },
      },
    ),
    kind("sql", z.object({ query: z.string().min(1) }), {
      credential: { types: ["postgres"], required: true },
    }),
    kind("code", z.object({ source: z.string(), input: z.unknown().optional() }), {
      lockedInputs: ["source"],
    }),
    kind("transform", z.object({ expression: z.string() }), {
      deferredInputs: ["expression"],
      bareExpressions: ["expression"],
    }),
    kind("run-flow", z.object({ flowId: z.string() }), { target: { input: "flowId", kind: "flow" } }),
    kind("agent", z.object({ agentId: z.string() }), { target: { input: "agentId", kind: "agent" } }),
    kind("return", z.object({ value: z.unknown().optional() }), { handles: () => [] }),
  ].map((entry) => [entry.type, entry]),
);

type Node = { id: string; type: string; parentId?: string; data?: Record<string, unknown> };

export function node(
  id: string,
  type: string,
  inputs: Record<string, unknown> = {},
  data: object = {},
): Node {
  return { id, type, data: { inputs, ...data } };
}

export function inside(parentId: string, child: Node): Node {
  return { ...child, parentId };
}

/** `a b` or `a:handle b`, several separated by commas. */
export function graphOf(nodes: readonly Node[], edges = ""): FlowGraph {
  const pairs = edges
    .split(",")
    .map((edge) => edge.trim())
    .filter(Boolean);
  return flowGraphSchema.parse({
    nodes,
    edges: pairs.map((pair) => {
      const [from = "", target] = pair.split(" ");
      const [source, sourceHandle] = from.split(":");
      return { source, sourceHandle, target };
    }),
  });
}
