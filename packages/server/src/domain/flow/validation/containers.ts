import type { FlowNode } from "@millrace/contract/documents/graph";
import { nameOf, type FlowToCheck } from "./flow-to-check.ts";

const maxNesting = 8;

/** `parentId` names a container, and containers do not nest in a circle or without end. */
export function checkContainers({ graph, nodes, kindOf }: FlowToCheck): string[] {
  const errors: string[] = [];
  for (const node of graph.nodes) {
    if (node.parentId == null) continue;
    const parent = nodes.get(node.parentId);
    if (node.type === "start")
      errors.push(`${nameOf(node)}: a start node cannot be inside a container; move it out.`);
    if (parent === undefined) {
      errors.push(
        `${nameOf(node)}: its parentId "${node.parentId}" is not a node of the flow; correct or remove it.`,
      );
    } else if (kindOf(parent) !== undefined && !kindOf(parent)?.container) {
      errors.push(
        `${nameOf(node)}: its parentId "${node.parentId}" is not a container; only for-each and while hold other nodes.`,
      );
    } else if (nestingOf(node, nodes) > maxNesting) {
      errors.push(`${nameOf(node)}: containers are nested deeper than ${maxNesting} levels, or in a cycle.`);
    }
  }
  return errors;
}

function nestingOf(node: FlowNode, nodes: ReadonlyMap<string, FlowNode>): number {
  let depth = 0;
  let parentId = node.parentId;
  while (parentId != null && depth <= maxNesting) {
    depth += 1;
    parentId = nodes.get(parentId)?.parentId;
  }
  return depth;
}
