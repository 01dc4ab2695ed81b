import type { Flow, FlowNode } from "../../src/pages/editor/flow.ts";

export const node = (id: string, type = "set", more: Partial<FlowNode> = {}): FlowNode => ({
  id,
  type,
  ...more,
});
/** Edges as "source target", or "source target handle". */
export const flowOf = (nodes: FlowNode[], ...edges: string[]): Flow => ({
  graph: {
    nodes,
    edges: edges.map((edge, index) => {
      const [source = "", target = "", sourceHandle] = edge.split(" ");
      return { id: `e${index + 1}`, source, ...(sourceHandle && { sourceHandle }), target };
    }),
  },
});
/** Edges as "source target", or "source handle target". */
export const edgesOf = ({ graph }: Flow) =>
  graph.edges.map(({ source, sourceHandle, target }) =>
    [source, sourceHandle, target].filter(Boolean).join(" "),
  );
export const idsOf = ({ graph }: Flow) => graph.nodes.map(({ id }) => id);
