import type { Box } from "../../../graph/box.ts";
import { layoutGraph } from "../../../graph/layout.ts";
import type { Flow, FlowEdge, FlowGraph, FlowNode } from "../flow.ts";
import { handlesOf } from "../node-types.ts";
import { notesOf, sizeOf } from "../notes.ts";
import { type Position, positionOf } from "../operations/change-graph.ts";

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
  const edges = inHandleOrder(graph).map(({ source, target }) => ({ source, target, sourceHandle: "out" }));
  const signature = JSON.stringify([nodes.map(({ id, parentId }) => [id, parentId]), edges]);
  if (last?.signature !== signature) last = { signature, boxes: layoutGraph({ nodes, edges }) };
  return last.boxes;
}

/** The first way out of a node first, so that it leads to the left as its handle does. */
function inHandleOrder({ nodes, edges }: FlowGraph): readonly FlowEdge[] {
  const handles = new Map(nodes.map((node) => [node.id, handlesOf(node)]));
  const place = ({ source, sourceHandle }: FlowEdge) =>
    handles.get(source)?.indexOf(sourceHandle ?? "out") ?? 0;
  return edges.toSorted((one, other) => place(one) - place(other));
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

const BESIDE = 40;

/** Room for a new note: beside the nodes, below the notes that are there already. */
export function placeForNote(flow: Flow): Position {
  const places = placesOf(flow);
  const outer = flow.graph.nodes.filter(({ parentId }) => !parentId).map(({ id }) => places.get(id)!);
  const x = outer.length === 0 ? 0 : Math.max(...outer.map((box) => box.x + box.width)) + BESIDE;
  const top = outer.length === 0 ? 0 : Math.min(...outer.map((box) => box.y));
  const beside = notesOf(flow).map((note) => ({ ...note.position, ...sizeOf(note) }));
  const bottoms = beside.filter((box) => box.x + box.width > x).map((box) => box.y + box.height + BESIDE / 2);
  return { x: Math.round(x), y: Math.round(Math.max(top, ...bottoms)) };
}
