import type { FlowGraph, FlowNode } from "@millrace/contract/documents/graph";
import type { CredentialType, NodeCatalogue, NodeKind } from "../catalogue.ts";

/** What a flow may point to outside of itself, in its own organization. */
export interface FlowReferences {
  hasFlow(flowId: string): boolean;
  hasAgent(agentId: string): boolean;
  /** `undefined`: there is no such credential. */
  credentialType(credentialId: string): CredentialType | undefined;
  /** Names of what expressions may read as `vars.<name>`. */
  readonly variables: ReadonlySet<string>;
}

export interface FlowToCheck {
  readonly graph: FlowGraph;
  /** Of nodes with the same id, the first. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly kindOf: (node: FlowNode) => NodeKind | undefined;
}

export function prepareFlow(graph: FlowGraph, catalogue: NodeCatalogue): FlowToCheck {
  const nodes = new Map<string, FlowNode>();
  for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
  return { graph, nodes, kindOf: (node) => catalogue.get(node.type) };
}

export const MAX_LABEL = 60;

/** How texts speak of a node: its id, and its label where it has another one. */
export function nameOf(node: FlowNode): string {
  const label = node.data?.label;
  return label && label !== node.id
    ? `Node "${node.id}" (${label.slice(0, MAX_LABEL)})`
    : `Node "${node.id}"`;
}
