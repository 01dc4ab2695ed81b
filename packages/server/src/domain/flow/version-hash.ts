import { createHash } from "node:crypto";
import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowEdge, FlowGraph, FlowNode } from "@millrace/contract/documents/graph";

/**
 * Equal for graphs that run alike: where a node lies on the canvas, its label and the order of the lists do not count. The
 * order of the keys inside an input does: it is that of what is shown and sent.
 */
export function hashExecutableGraph(graph: FlowGraph, settings: FlowSettings = {}): string {
  const nodes = graph.nodes.map(executableNode).toSorted();
  const edges = graph.edges.map(executableEdge).toSorted();
  return (
    createHash("sha256")
      // A version from before there were settings keeps its hash.
      .update(JSON.stringify(Object.keys(settings).length === 0 ? [nodes, edges] : [nodes, edges, settings]))
      .digest("hex")
  );
}

function executableNode({ id, type, parentId, data }: FlowNode): string {
  return canonicalJson({
    id,
    type,
    parentId,
    inputs: data?.inputs && inOrder(data.inputs),
    credential: data?.credential,
    disabled: data?.disabled || null,
    retry: {
      backoffSeconds: data?.retry?.backoffSeconds,
      maxAttempts: data?.retry?.maxAttempts,
      on: data?.retry?.on ?? undefined,
    },
    timeoutSeconds: data?.timeoutSeconds,
    onError: data?.onError,
    join: data?.join,
  });
}

function executableEdge({ source, sourceHandle, target }: FlowEdge): string {
  return canonicalJson({ source, sourceHandle, target });
}

/** Settings in the order of their names; one that is `null` is not there. */
function canonicalJson(settings: Record<string, unknown>): string {
  return JSON.stringify(
    inOrder(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))),
  );
}

function inOrder(settings: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
