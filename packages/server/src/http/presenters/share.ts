import type { SharedRun } from "@millrace/contract/manage/shares";
import type { NodeChange } from "../../domain/node-changes.ts";
import type { SeenShare } from "../../operations/shares/view-share.ts";

/** Only what is named here leaves: structure, times, statuses, and the values of the nodes that were chosen. */
export function presentShare({ run, edges, nodes, values, expiresAt }: SeenShare): SharedRun {
  return {
    id: run.id,
    flowId: run.flowId,
    version: run.version,
    status: run.status,
    createdAt: run.createdAt.toISOString(),
    ...(run.startedAt && { startedAt: run.startedAt.toISOString() }),
    ...(run.completedAt && { completedAt: run.completedAt.toISOString() }),
    edges: edges.map(({ source, target, handle }) => ({ source, target, handle })),
    nodes: nodes.map((node) => ({ ...presentNode(node), ...valuesOf(values, node.nodeKey) })),
    expiresAt: expiresAt.toISOString(),
  };
}

function presentNode({ nodeKey, nodeId, type, status, startedAt, endedAt }: NodeChange) {
  return {
    nodeKey,
    nodeId,
    type,
    status,
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { completedAt: new Date(endedAt).toISOString() }),
  };
}

function valuesOf(values: SeenShare["values"], nodeKey: string) {
  const record = values.get(nodeKey);
  if (!record) return {};
  const { input, output, error } = record;
  return {
    ...(input && { input }),
    ...(output && { output }),
    ...(error && { error: { name: error.name, message: error.message } }),
  };
}
