import type { Flow, FlowEdge, FlowGraph, FlowNode } from "../flow.ts";

export function withGraph(flow: Flow, changed: Partial<FlowGraph>): Flow {
  return { ...flow, graph: { ...flow.graph, ...changed } };
}

/** Changes some nodes; where it gives back the same ones, the draft is the same too. */
export function mapNodes(flow: Flow, change: (node: FlowNode) => FlowNode): Flow {
  const nodes = flow.graph.nodes.map(change);
  return nodes.every((node, index) => node === flow.graph.nodes[index]) ? flow : withGraph(flow, { nodes });
}

/** What tells an edge from the others of its flow. */
export function edgeKey({ id, source, sourceHandle, target }: FlowEdge): string {
  return id || `${source} ${sourceHandle ?? ""} ${target}`;
}

/** An id that nothing has yet: `fetch`, `fetch_2`, … */
export function freeId(taken: ReadonlySet<string>, wanted: string): string {
  const base = wanted.replaceAll(/[^A-Za-z0-9_]/g, "_").slice(0, 56) || "node";
  if (!taken.has(base)) return base;
  const stem = base.replace(/_\d{1,5}$/, "");
  for (let count = 2; ; count++) if (!taken.has(`${stem}_${count}`)) return `${stem}_${count}`;
}

export function nodeIds(flow: Flow): Set<string> {
  return new Set(flow.graph.nodes.map(({ id }) => id));
}

/** A new edge. It has an id where the others have theirs. */
export function newEdge(flow: Flow, edge: Pick<FlowEdge, "source" | "target">, handle?: string): FlowEdge {
  const taken = new Set(flow.graph.edges.map(({ id }) => id ?? ""));
  const isNamed = flow.graph.edges.every(({ id }) => id);
  const { source, target } = edge;
  return {
    ...(isNamed && { id: freeId(taken, `e${taken.size + 1}`) }),
    source,
    ...(handle && handle !== "out" && { sourceHandle: handle }),
    target,
  };
}

/** The containers around a node, the innermost first. */
export function containersOf(flow: Flow, nodeId: string): string[] {
  const parents = new Map(flow.graph.nodes.map(({ id, parentId }) => [id, parentId]));
  const around: string[] = [];
  for (let at = parents.get(nodeId); at && !around.includes(at); at = parents.get(at)) around.push(at);
  return around;
}

/** The nodes and whatever is inside of them. */
export function withInner(flow: Flow, ids: readonly string[]): Set<string> {
  const chosen = new Set(ids);
  for (const { id } of flow.graph.nodes)
    if (containersOf(flow, id).some((container) => chosen.has(container))) chosen.add(id);
  return chosen;
}

export type Position = { readonly x: number; readonly y: number };

export function positionOf(item: { readonly position?: unknown }): Position | undefined {
  const { x, y } = (item.position ?? {}) as Partial<Position>;
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}
