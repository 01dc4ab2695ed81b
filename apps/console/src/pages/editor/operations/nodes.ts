import { type Flow, type FlowEdge, type FlowNode, nodeOf } from "../flow.ts";
import type { Operation } from "../store.ts";
import { edgeKey, freeId, newEdge, nodeIds, positionOf, withGraph, withInner } from "./change-graph.ts";

const STEP_DOWN = 100;

interface Place {
  /** The node that it comes after, by this way out of it. */
  readonly after?: string | undefined;
  readonly handle?: string | undefined;
  /** The container that it is put into, where it comes after none. */
  readonly into?: string | undefined;
}

/** An id for a new node of a type. */
export function idFor(flow: Flow, type: string): string {
  return freeId(nodeIds(flow), type);
}

/** Adds a node, connected to the one that it comes after. */
export function addNode(node: FlowNode, { after, handle, into }: Place = {}): Operation {
  return (flow) => {
    const source = after === undefined ? undefined : nodeOf(flow, after);
    const parentId = source ? source.parentId : into;
    const added = placed(flow, { ...node, ...(parentId && { parentId }) }, source);
    const nodes = [...flow.graph.nodes, added];
    if (!source) return withGraph(flow, { nodes });
    const edge = newEdge(flow, { source: source.id, target: node.id }, handle);
    return withGraph(flow, { nodes, edges: [...flow.graph.edges, edge] });
  };
}

/** Puts a node in the middle of an edge; what was reached by it is reached through the node. */
export function insertOnEdge(key: string, node: FlowNode, handle?: string): Operation {
  return (flow) => {
    const edge = flow.graph.edges.find((one) => edgeKey(one) === key);
    const source = edge && nodeOf(flow, edge.source);
    if (!edge || !source) return flow;
    const { parentId } = source;
    const added = placed(flow, { ...node, ...(parentId && { parentId }) }, source);
    const onward = newEdge(flow, { source: node.id, target: edge.target }, handle);
    return withGraph(flow, {
      nodes: [...flow.graph.nodes, added],
      edges: [...flow.graph.edges.map((one) => (one === edge ? { ...edge, target: node.id } : one)), onward],
    });
  };
}

/** Where the others stand somewhere, it stands below the one that it comes after. */
function placed(flow: Flow, node: FlowNode, source: FlowNode | undefined): FlowNode {
  const isPlaced = flow.graph.nodes.length > 0 && flow.graph.nodes.every(positionOf);
  if (!isPlaced || positionOf(node)) return node;
  const { x, y } = (source && positionOf(source)) ?? { x: 0, y: 0 };
  const beside = new Set(
    flow.graph.nodes
      .filter(({ parentId }) => (parentId ?? "") === (node.parentId ?? ""))
      .map((one) => JSON.stringify(positionOf(one))),
  );
  const place = { x, y: y + STEP_DOWN };
  while (beside.has(JSON.stringify(place))) place.x += STEP_DOWN * 2.2;
  return { ...node, position: place };
}

/** Removes nodes with all that is inside of them; what came before a removed one leads to what came after it. */
export function removeNodes(ids: readonly string[]): Operation {
  return (flow) => {
    const removed = withInner(
      flow,
      ids.filter((id) => nodeOf(flow, id)),
    );
    if (removed.size === 0) return flow;
    const kept = flow.graph.edges.filter(
      ({ source, target }) => !removed.has(source) && !removed.has(target),
    );
    const bridges: FlowEdge[] = [];
    let soFar = withGraph(flow, { edges: kept });
    for (const { source, target, handle } of bridgesOf(flow, removed)) {
      if (soFar.graph.edges.some((edge) => edge.source === source && edge.target === target)) continue;
      const bridge = newEdge(soFar, { source, target }, handle);
      bridges.push(bridge);
      soFar = withGraph(flow, { edges: [...kept, ...bridges] });
    }
    return withGraph(soFar, { nodes: flow.graph.nodes.filter(({ id }) => !removed.has(id)) });
  };
}

/** Only where there is one way on: of several nobody can say which was meant. */
function* bridgesOf(flow: Flow, removed: ReadonlySet<string>) {
  const { edges } = flow.graph;
  const onward = (id: string, seen = new Set<string>()): string | undefined => {
    if (!removed.has(id)) return id;
    if (seen.has(id)) return undefined;
    seen.add(id);
    const targets = new Set(edges.filter(({ source }) => source === id).map(({ target }) => target));
    const [target] = targets;
    return targets.size === 1 && target ? onward(target, seen) : undefined;
  };
  for (const { source, sourceHandle, target } of edges) {
    if (removed.has(source) || !removed.has(target)) continue;
    const next = onward(target);
    if (next !== undefined) yield { source, target: next, handle: sourceHandle ?? undefined };
  }
}
