import type { FlowGraph, FlowNode } from "@millrace/contract/documents/graph";
import type { NodeCatalogue, NodeKind } from "./catalogue.ts";
import { takesAnyInput } from "./node-inputs.ts";

export interface OverrideTarget {
  readonly node: FlowNode;
  readonly kind: NodeKind;
  readonly inputName: string;
}

/** Every key `{nodeId}_{inputName}` of a flow with its readings; a flow where one has two is invalid. */
export function overrideKeys(
  graph: FlowGraph,
  catalogue: NodeCatalogue,
): ReadonlyMap<string, OverrideTarget[]> {
  const keys = new Map<string, OverrideTarget[]>();
  for (const node of graph.nodes) {
    const kind = catalogue.get(node.type);
    if (kind === undefined) continue;
    for (const inputName of inputNames(node, kind)) {
      const key = `${node.id}_${inputName}`;
      const readings = keys.get(key) ?? [];
      readings.push({ node, kind, inputName });
      keys.set(key, readings);
    }
  }
  return keys;
}

/** The inputs of the type, and for a type that takes any (`start`) those that the document states. */
function inputNames(node: FlowNode, kind: NodeKind): Set<string> {
  const stated = takesAnyInput(kind) ? Object.keys(node.data?.inputs ?? {}) : [];
  return new Set([...Object.keys(kind.inputs.shape), ...stated].filter((name) => name !== "__proto__"));
}
