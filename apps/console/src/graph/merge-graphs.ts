import type { FlowGraph } from "./graph-model.ts";

/** Both on one picture: whatever either has, with the words of the second where both have it. */
export function mergeGraphs(one: FlowGraph, other: FlowGraph): FlowGraph {
  const nodes = new Map([...one.nodes, ...other.nodes].map((node) => [node.id, node]));
  const edges = new Map([...one.edges, ...other.edges].map((edge) => [edgeKey(edge), edge]));
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

export function edgeKey(edge: FlowGraph["edges"][number]): string {
  return `${edge.source} ${edge.sourceHandle} ${edge.target}`;
}
