import type { FlowGraph as Structure } from "../../graph/graph-model.ts";
import type { FlowGraph } from "./flow.ts";

/** How a draft is connected, as graphs are drawn. */
export function structureOf({ nodes, edges }: FlowGraph): Structure {
  return {
    nodes: nodes.map(({ id, type, data, parentId }) => ({
      id,
      type,
      ...(data?.label && { label: data.label }),
      ...(parentId && { parentId }),
    })),
    edges: edges.map(({ source, target, sourceHandle }) => ({
      source,
      target,
      sourceHandle: sourceHandle ?? "out",
    })),
  };
}
