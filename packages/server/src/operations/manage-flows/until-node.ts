import type { FlowGraph } from "@millrace/contract/documents/graph";

/** A graph that ends with this node: it, what leads to it, the containers around it, and what is inside of those that are left. */
export function untilNode(graph: FlowGraph, nodeId: string): FlowGraph {
  const parents = new Map(graph.nodes.map(({ id, parentId }) => [id, parentId]));
  const kept = new Set<string>();
  const around = new Set<string>();
  const waiting = [nodeId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (kept.has(id)) continue;
    kept.add(id);
    const parent = parents.get(id);
    if (parent) {
      around.add(parent);
      waiting.push(parent);
    }
    for (const { source, target } of graph.edges) if (target === id) waiting.push(source);
  }
  // A container that has ended before, or is the node itself, is whole.
  const isInside = (id: string): boolean => {
    const parent = parents.get(id);
    return parent != null && ((kept.has(parent) && !around.has(parent)) || isInside(parent));
  };
  const nodes = graph.nodes.filter(({ id }) => kept.has(id) || isInside(id));
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(
    ({ source, target }) => ids.has(source) && ids.has(target) && source !== nodeId,
  );
  return { ...graph, nodes, edges };
}
