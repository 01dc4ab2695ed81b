import type { Box } from "../../../graph/graph-model.ts";
import { layoutGraph } from "../../../graph/layout.ts";
import type { Flow, FlowNode } from "../flow.ts";
import { positionOf } from "../operations/change-graph.ts";

const NODE = { width: 190, height: 54 };
const PADDING = 18;

let last: { signature: string; boxes: ReadonlyMap<string, Box> } | undefined;

/** Where each node stands: where its document says, if all of them say so, otherwise where the layout puts it. */
export function placesOf({ graph }: Flow): ReadonlyMap<string, Box> {
  return graph.nodes.every(positionOf) ? placedBoxes(graph.nodes) : arrange({ graph });
}

/** Where the layout puts everything; laid out again only where something else is connected. */
export function arrange({ graph }: Pick<Flow, "graph">): ReadonlyMap<string, Box> {
  const nodes = graph.nodes.map(({ id, type, parentId }) => ({ id, type, ...(parentId && { parentId }) }));
  const edges = graph.edges.map(({ source, target }) => ({ source, target, sourceHandle: "out" }));
  const signature = JSON.stringify([nodes.map(({ id, parentId }) => [id, parentId]), edges]);
  if (last?.signature !== signature) last = { signature, boxes: layoutGraph({ nodes, edges }) };
  return last.boxes;
}

/** A container is as large as what it holds. */
function placedBoxes(nodes: readonly FlowNode[]): ReadonlyMap<string, Box> {
  const inside = Map.groupBy(nodes, ({ parentId }) => parentId ?? "");
  const boxes = new Map<string, Box>();
  const measure = (node: FlowNode): Box => {
    const known = boxes.get(node.id);
    if (known) return known;
    boxes.set(node.id, { ...positionOf(node)!, ...NODE });
    let { width, height } = NODE;
    for (const inner of (inside.get(node.id) ?? []).map(measure)) {
      width = Math.max(width, inner.x + inner.width + PADDING);
      height = Math.max(height, inner.y + inner.height + PADDING);
    }
    const box = { ...positionOf(node)!, width, height };
    boxes.set(node.id, box);
    return box;
  };
  for (const node of nodes) measure(node);
  return boxes;
}
