import type { RunTrigger } from "@millrace/client";
import type { EvaluatedNode } from "./live-store.ts";
import type { Flow, FlowGraph } from "../flow.ts";

/** Everything that an expression of a node can read, with the values of the chosen run. */
export function scopeOf(
  flow: Flow,
  nodeId: string,
  known: { readonly nodes: ReadonlyMap<string, EvaluatedNode>; readonly trigger: RunTrigger | undefined },
): Readonly<Record<string, unknown>> {
  const { trigger } = known;
  const before = nodesBefore(flow.graph, nodeId);
  const nodes = Object.fromEntries(before.map((id) => [id, known.nodes.get(id)?.output ?? {}] as const));
  const container = flow.graph.nodes.find(({ id }) => id === nodeId)?.parentId;
  return {
    trigger: { body: {}, headers: {}, query: {}, method: "POST", ...asObject(trigger?.trigger) },
    data: asObject(trigger?.data),
    nodes,
    vars: {},
    run: { id: "", attempt: 1, flowId: "", organizationId: "" },
    ...(container && itemOf(known.nodes.get(container))),
  };
}

/** Of the first round. */
function itemOf(container: EvaluatedNode | undefined): Readonly<Record<string, unknown>> {
  const items = container?.input?.["items"];
  return { item: Array.isArray(items) ? items[0] : {}, index: 0 };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Nodes that have ended wherever this one begins: along its edges, and along those of the containers it is inside of. */
export function nodesBefore(graph: FlowGraph, nodeId: string): string[] {
  const parents = new Map(graph.nodes.map(({ id, parentId }) => [id, parentId]));
  const sources = new Map<string, string[]>();
  for (const { source, target } of graph.edges) sources.set(target, [...(sources.get(target) ?? []), source]);
  const found = new Set<string>();
  const waiting = [nodeId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const source of sources.get(id) ?? [])
      if (!found.has(source)) {
        found.add(source);
        waiting.push(source);
      }
    const parent = parents.get(id);
    if (parent) waiting.push(parent);
  }
  found.delete(nodeId);
  return graph.nodes.map(({ id }) => id).filter((id) => found.has(id));
}
