import { Graph, layout } from "@dagrejs/dagre";
import type { Box } from "./box.ts";
import type { FlowGraph } from "./graph-model.ts";

const NODE = { width: 190, height: 54 };
const PADDING = 18;
const HEADER = 54;
const MANY_NODES = 150;

/**
 * Where each node stands: one layout per container, from the inside out, because a container is as large as what it
 * holds. Places of inner nodes count from the corner of their container.
 */
export function layoutGraph(graph: FlowGraph): ReadonlyMap<string, Box> {
  const boxes = new Map<string, Box>();
  const known = new Set(graph.nodes.map(({ id }) => id));
  const children = Map.groupBy(graph.nodes, ({ parentId }) =>
    parentId && known.has(parentId) ? parentId : "",
  );
  const parents = new Map(
    graph.nodes.map(({ id, parentId }) => [id, parentId && known.has(parentId) ? parentId : ""]),
  );
  const entered = new Set<string>();

  const arrange = (container: string): { width: number; height: number } => {
    const inner = children.get(container) ?? [];
    const drawing = new Graph({ multigraph: false });
    drawing.setGraph({
      rankdir: "TB",
      nodesep: 28,
      ranksep: 44,
      ranker: inner.length > MANY_NODES ? "tight-tree" : "network-simplex",
    });
    drawing.setDefaultEdgeLabel(() => ({}));
    for (const { id } of inner) {
      // A document may claim that two containers hold each other.
      const holds = children.has(id) && !entered.has(id);
      if (holds) entered.add(id);
      drawing.setNode(id, holds ? arrange(id) : { ...NODE });
    }
    // Of the ways out of a node the layout puts the last one that it is told of to the left.
    for (const { source, target } of graph.edges.toReversed())
      if (parents.get(source) === container && parents.get(target) === container && source !== target)
        drawing.setEdge(source, target);
    layout(drawing);
    let width = 0;
    let height = 0;
    for (const { id } of inner) {
      const node = drawing.node(id) as Box;
      const box = {
        x: node.x - node.width / 2,
        y: node.y - node.height / 2,
        width: node.width,
        height: node.height,
      };
      width = Math.max(width, box.x + box.width);
      height = Math.max(height, box.y + box.height);
      boxes.set(id, container === "" ? box : { ...box, x: box.x + PADDING, y: box.y + HEADER });
    }
    return { width: Math.max(NODE.width, width + 2 * PADDING), height: height + HEADER + PADDING };
  };
  arrange("");
  return boxes;
}
