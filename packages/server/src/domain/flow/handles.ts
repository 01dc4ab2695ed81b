import type { FlowEdge, FlowNode } from "@millrace/contract/documents/graph";
import type { NodeKind } from "./catalogue.ts";

export const errorHandle = "error";

/** The ways out of a node. */
export function handlesOf(node: FlowNode, kind: NodeKind): readonly string[] {
  const handles = kind.handles?.(node.data?.inputs ?? {}) ?? ["out"];
  return node.data?.onError === "branch" ? [...handles, errorHandle] : handles;
}

/** The way out where none is named: `out`, or the only one there is. */
export function defaultHandleOf(node: FlowNode, kind: NodeKind): string {
  const [first, second] = kind.handles?.(node.data?.inputs ?? {}) ?? [];
  return first !== undefined && second === undefined ? first : "out";
}

export function handleOf(edge: FlowEdge, source: FlowNode, kind: NodeKind): string {
  return edge.sourceHandle || defaultHandleOf(source, kind);
}
