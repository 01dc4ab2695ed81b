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

/** Lets an edge leave by another way out of its source. */
export function setHandle(key: string, handle: string): Operation {
  return (flow) => {
    const edges = flow.graph.edges.map((edge) => {
      if (edgeKey(edge) !== key) return edge;
      const { sourceHandle: _, ...rest } = edge;
      return handle === "out" ? rest : { ...rest, sourceHandle: handle };
    });
    return withGraph(flow, { edges });
  };
}

/** Whether an edge between them would close a circle. */
export function wouldLoop(
  edges: readonly { readonly source: string; readonly target: string }[],
  source: string,
  target: string,
): boolean {
  const seen = new Set<string>();
  const open = [target];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === source) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    for (const edge of edges) if (edge.source === at) open.push(edge.target);
  }
  return false;
}
