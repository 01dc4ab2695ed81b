import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import type { FlowGraph } from "@millrace/contract/documents/graph";

/** A flow with its tests, before it has ids of its own. */
export interface Beginning {
  readonly id: string;
  readonly name: string;
  readonly graph: FlowGraph;
  readonly settings: FlowSettings;
  readonly tests: readonly FlowTestDocument[];
}

/** Flows under ids of their own: wherever one of them names another, it names the new one. */
export function withNames(flows: readonly Beginning[], names: ReadonlyMap<string, string>): Beginning[] {
  return flows.map(({ id, name, graph, settings, tests }) => {
    const own = names.get(id)!;
    const { onFailure } = settings;
    const handler = onFailure === undefined ? undefined : (names.get(onFailure) ?? onFailure);
    return {
      id: own,
      name,
      graph: renamed(graph, names),
      settings: { ...settings, ...(handler !== undefined && { onFailure: handler }) },
      tests: tests.map((test) => ({ ...test, flowId: own })),
    };
  });
}

function renamed(graph: FlowGraph, names: ReadonlyMap<string, string>): FlowGraph {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      const flowId = node.type === "run-flow" ? node.data?.inputs?.["flowId"] : undefined;
      const own = typeof flowId === "string" ? names.get(flowId) : undefined;
      if (own === undefined) return node;
      return { ...node, data: { ...node.data, inputs: { ...node.data?.inputs, flowId: own } } };
    }),
  };
}

const MAX_SLUG = 48;

/** `flow_` and the name in plain letters. */
export function idFor(name: string, number: number): string {
  const slug = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(0, MAX_SLUG)
    .replaceAll(/^_+|_+$/g, "");
  return `flow_${slug || "new"}${number === 1 ? "" : `_${number}`}`;
}
