import type { NodeHead } from "../../api/nodes.ts";

/** The nodes as they were so many milliseconds after the run was made: later ones are not there yet. */
export function nodesAt(nodes: readonly NodeHead[], createdAt: string, at: number): NodeHead[] {
  const moment = Date.parse(createdAt) + at;
  return nodes
    .filter(({ startedAt }) => Date.parse(startedAt) <= moment)
    .map((node) => {
      if (node.completedAt && Date.parse(node.completedAt) <= moment) return node;
      const { completedAt: _later, handle: _taken, ...running } = node;
      return { ...running, status: node.completedAt ? "EXECUTING" : node.status };
    });
}
