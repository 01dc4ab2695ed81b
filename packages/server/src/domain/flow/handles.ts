import type { FlowEdge, FlowNode } from "@millrace/contract/documents/graph";
import type { NodeKind } from "./catalogue.ts";

export const errorHandle = "error";

/** The ways out of a node. */
export function handlesOf(node: FlowNode, kind: NodeKind): readonly string[] {
  const handles = statedHandles(node, kind) ?? ["out"];
  return node.data?.onError === "branch" ? [...handles, errorHandle] : handles;
}

/** By what they are made from: asked for with every edge of a node, they may be as many as the edges. */
const known = new WeakMap<object, { readonly kind: NodeKind; readonly handles: readonly string[] }>();

function statedHandles({ data }: FlowNode, kind: NodeKind): readonly string[] | undefined {
  if (kind.handles === undefined) return undefined;
  const inputs = data?.inputs ?? {};
  const before = known.get(inputs);
  if (before?.kind === kind) return before.handles;
  const handles = kind.handles(inputs);
  known.set(inputs, { kind, handles });
  return handles;
}

/** The way out where none is named: `out`, or the only one there is. */
export function defaultHandleOf(node: FlowNode, kind: NodeKind): string {
  const [first, second] = statedHandles(node, kind) ?? [];
  return first !== undefined && second === undefined ? first : "out";
}

export function handleOf(edge: FlowEdge, source: FlowNode, kind: NodeKind): string {
  return edge.sourceHandle || defaultHandleOf(source, kind);
}
