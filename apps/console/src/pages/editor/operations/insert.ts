import { type Flow, type FlowNode, nodeOf } from "../flow.ts";
import { defaultHandle, handlesOf, isContainer, newNode } from "../node-types.ts";
import type { Operation } from "../store.ts";
import { edgeKey, newEdge, withGraph, withInner } from "./change-graph.ts";
import { addNode, idFor, insertOnEdge } from "./nodes.ts";

/** Where a new node goes. */
export interface Place {
  /** After this node, by one of its ways out; whatever that way led to comes after the new node. */
  readonly after?: string | undefined;
  readonly handle?: string | undefined;
  /** Into the middle of this edge. */
  readonly edge?: string | undefined;
  /** Inside this container, beside what is there. */
  readonly into?: string | undefined;
}

/** A new node of a type in its place, and the id that it gets. */
export function insertNode(flow: Flow, type: string, place: Place): { id: string; operation: Operation } {
  const id = idFor(flow, type);
  const node = newNode(type, id);
  const onward = handlesOf(node)[0];
  if (place.edge !== undefined && onward !== undefined)
    return { id, operation: insertOnEdge(place.edge, node, onward) };
  const edge = flow.graph.edges.find((one) => edgeKey(one) === place.edge);
  const after = place.after ?? edge?.source;
  const source = after === undefined ? undefined : nodeOf(flow, after);
  if (!source) return { id, operation: addNode(node, { into: place.into }) };
  const handle = place.handle ?? edge?.sourceHandle ?? freeHandle(flow, source);
  return { id, operation: insertAfter(source, handle, node, onward) };
}

function insertAfter(
  source: FlowNode,
  handle: string | undefined,
  node: FlowNode,
  onward: string | undefined,
): Operation {
  return (flow) => {
    const added = addNode(
      node,
      handle === undefined ? { into: source.parentId ?? undefined } : { after: source.id, handle },
    )(flow);
    if (handle === undefined || onward === undefined) return added;
    const left = (edge: Flow["graph"]["edges"][number]) =>
      edge.source === source.id && handleOf(flow, edge) === handle;
    if (!flow.graph.edges.some(left)) return added;
    const moved = flow.graph.edges.filter(left);
    const kept = added.graph.edges.filter((edge) => !moved.includes(edge));
    return moved.reduce(
      (soFar, { target }) =>
        withGraph(soFar, {
          edges: [...soFar.graph.edges, newEdge(soFar, { source: node.id, target }, onward)],
        }),
      withGraph(added, { edges: kept }),
    );
  };
}

/** The way out that an edge leaves by. */
export function handleOf(flow: Flow, edge: Flow["graph"]["edges"][number]): string {
  const source = nodeOf(flow, edge.source);
  return edge.sourceHandle || (source ? defaultHandle(source) : "out");
}

/** The first way out that leads nowhere yet, else the first there is; none where the flow ends. */
function freeHandle(flow: Flow, node: FlowNode): string | undefined {
  const taken = new Set(
    flow.graph.edges.filter(({ source }) => source === node.id).map((edge) => handleOf(flow, edge)),
  );
  const handles = handlesOf(node);
  return handles.find((handle) => !taken.has(handle)) ?? handles[0];
}

/** The containers that a node may be moved into: any but itself and what is inside of it. */
export function containersFor(flow: Flow, nodeId: string): FlowNode[] {
  const own = withInner(flow, [nodeId]);
  return flow.graph.nodes.filter(({ id, type }) => isContainer(type) && !own.has(id));
}
