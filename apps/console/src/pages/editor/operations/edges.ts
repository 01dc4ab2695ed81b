import { nodeOf } from "../flow.ts";
import type { Operation } from "../store.ts";
import { edgeKey, newEdge, withGraph } from "./change-graph.ts";

/** Connects two nodes of one container; twice the same is once. */
export function connect(source: string, handle: string | undefined, target: string): Operation {
  return (flow) => {
    const from = nodeOf(flow, source);
    const to = nodeOf(flow, target);
    if (!from || !to || source === target || (from.parentId ?? "") !== (to.parentId ?? "")) return flow;
    const isThere = flow.graph.edges.some(
      (edge) =>
        edge.source === source &&
        edge.target === target &&
        (edge.sourceHandle || "out") === (handle || "out"),
    );
    if (isThere) return flow;
    return withGraph(flow, { edges: [...flow.graph.edges, newEdge(flow, { source, target }, handle)] });
  };
}

export function disconnect(key: string): Operation {
  return (flow) => {
    const edges = flow.graph.edges.filter((edge) => edgeKey(edge) !== key);
    return edges.length === flow.graph.edges.length ? flow : withGraph(flow, { edges });
  };
}

/** A node and everything that leads to it: an edge back to any of them would close a circle. */
export function leadingTo(
  edges: readonly { readonly source: string; readonly target: string }[],
  nodeId: string,
): ReadonlySet<string> {
  const sources = Map.groupBy(edges, ({ target }) => target);
  const found = new Set<string>();
  const open = [nodeId];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    for (const { source } of sources.get(at) ?? []) open.push(source);
  }
  return found;
}
