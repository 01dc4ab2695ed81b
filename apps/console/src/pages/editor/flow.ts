import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowEdge, FlowGraph, FlowNode } from "@millrace/contract/documents/graph";

export type { FlowEdge, FlowGraph, FlowNode };

/** What a draft holds: the graph, and what the document says beside it. Never changed in place. */
export interface Flow extends FlowSettings {
  readonly graph: FlowGraph;
}

/** Everything of a draft beside its graph, as the service takes it. */
export function settingsOf(flow: Flow): FlowSettings {
  const { graph: _graph, ...settings } = flow;
  return settings;
}

export function nodeOf(flow: Flow, nodeId: string): FlowNode | undefined {
  return flow.graph.nodes.find(({ id }) => id === nodeId);
}

/** Whether a node is among those that somebody looks for; `wanted` in lower case. */
export function isFound({ id, type, data }: FlowNode, wanted: string): boolean {
  return `${id} ${type} ${data?.label ?? ""}`.toLowerCase().includes(wanted);
}

export function labelOf(node: FlowNode): string {
  return node.data?.label || node.id;
}
