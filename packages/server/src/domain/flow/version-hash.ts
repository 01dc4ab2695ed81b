import { createHash } from "node:crypto";
import type { FlowEdge, FlowGraph, FlowNode } from "@millrace/contract/documents/graph";

/** Equal for graphs that run alike: where a node lies on the canvas, its label and the order of the lists do not count. */
export function hashExecutableGraph(graph: FlowGraph): string {
  const nodes = graph.nodes.map(executableNode).toSorted();
  const edges = graph.edges.map(executableEdge).toSorted();
  return createHash("sha256")
    .update(JSON.stringify([nodes, edges]))
    .digest("hex");
}

function executableNode({ id, type, parentId, data }: FlowNode): string {
  return canonicalJson({
    id,
    type,
    parentId,
    inputs: data?.inputs,
    credential: data?.credential,
    disabled: data?.disabled || null,
    retry: { maxAttempts: data?.retry?.maxAttempts, backoffSeconds: data?.retry?.backoffSeconds },
    timeoutSeconds: data?.timeoutSeconds,
    onError: data?.onError,
    join: data?.join,
  });
}

function executableEdge({ source, sourceHandle, target }: FlowEdge): string {
  return canonicalJson({ source, sourceHandle, target });
}

/** Keys in order at every level; a setting that is `null` is one that is not there. */
function canonicalJson(settings: Record<string, unknown>): string {
  const stated = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  return JSON.stringify(stated, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
