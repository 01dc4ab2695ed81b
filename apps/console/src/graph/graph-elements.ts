import { isSamePlace } from "./same-place.ts";
import { type Edge, type Node, Position } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { useT } from "../texts/texts.tsx";
import { statusText } from "../ui/status.tsx";
import type { Box, FlowGraph, NodeMark } from "./graph-model.ts";
import { edgeKey } from "./merge-graphs.ts";
import styles from "./graph-view.module.css";

export interface NodeData extends Record<string, unknown> {
  readonly label: string;
  readonly type: string;
  readonly mark: NodeMark | undefined;
  readonly container: boolean;
}

const UNPLACED: Box = { x: 0, y: 0, width: 190, height: 54 };
const MAX_DEPTH = 50;

/** What the library draws for each node; one that has not changed stays the same object, so that it is not drawn again. */
export function useGraphNodes(
  graph: FlowGraph,
  boxes: ReadonlyMap<string, Box>,
  marks: ReadonlyMap<string, NodeMark>,
  selected: string | undefined,
): Node<NodeData>[] {
  const t = useT();
  const made = useMemo(() => {
    const parents = new Map(graph.nodes.map(({ id, parentId }) => [id, parentId]));
    const containers = new Set(graph.nodes.map(({ parentId }) => parentId));
    const nodes = graph.nodes.map((node): Node<NodeData> => {
      const box = boxes.get(node.id) ?? UNPLACED;
      const mark = marks.get(node.id);
      const name = node.label || node.id;
      return {
        id: node.id,
        type: "step",
        position: { x: box.x, y: box.y },
        width: box.width,
        height: box.height,
        ...placeOf(box),
        ...(node.parentId && parents.has(node.parentId) && { parentId: node.parentId }),
        data: { label: name, type: node.type, mark, container: containers.has(node.id) },
        selected: node.id === selected,
        ariaLabel: [name, node.type, mark?.status && t(statusText(mark.status)), mark?.text]
          .filter(Boolean)
          .join(", "),
      };
    });
    if (containers.size <= 1) return nodes;
    // Parents first: the library places a node by what stands before it.
    const depth = ({ parentId }: Node): number => {
      let steps = 0;
      for (let at = parentId; at && steps < MAX_DEPTH; steps++) at = parents.get(at);
      return steps;
    };
    return nodes.toSorted((one, other) => depth(one) - depth(other));
  }, [graph, boxes, marks, selected, t]);
  return useReused(made, isSameNode);
}

/** Known beforehand, so the library does not measure a node again whenever it changes. */
function placeOf({ width, height }: Box): Pick<Node, "measured" | "handles"> {
  const x = (width - 1) / 2;
  return {
    measured: { width, height },
    handles: [
      { type: "target", position: Position.Top, x, y: 0, width: 1, height: 1 },
      { type: "source", position: Position.Bottom, x, y: height - 1, width: 1, height: 1 },
    ],
  };
}

export function useGraphEdges(graph: FlowGraph, taken: ReadonlySet<string> | undefined): Edge[] {
  const made = useMemo(
    () =>
      graph.edges.map((edge, index): Edge => ({
        id: `edge-${index}`,
        source: edge.source,
        target: edge.target,
        type: "step",
        focusable: false,
        ...(edge.sourceHandle !== "out" && { label: edge.sourceHandle }),
        className: taken ? (taken.has(edgeKey(edge)) ? styles.taken : styles.untaken) : styles.edge,
      })),
    [graph, taken],
  );
  return useReused(
    made,
    (one, other) =>
      one.source === other.source &&
      one.target === other.target &&
      one.label === other.label &&
      one.className === other.className,
  );
}

function isSameNode(one: Node<NodeData>, other: Node<NodeData>): boolean {
  return (
    isSamePlace(one, other) &&
    one.data.container === other.data.container &&
    one.data.mark?.status === other.data.mark?.status &&
    one.data.mark?.heat === other.data.mark?.heat &&
    one.data.mark?.difference === other.data.mark?.difference
  );
}

function useReused<Item extends { readonly id: string }>(
  made: Item[],
  isSame: (one: Item, other: Item) => boolean,
): Item[] {
  const before = useRef<Item[]>([]);
  return useMemo(() => {
    const known = new Map(before.current.map((item) => [item.id, item]));
    const kept = made.map((item) => {
      const old = known.get(item.id);
      return old && isSame(old, item) ? old : item;
    });
    const isUnchanged =
      kept.length === before.current.length && kept.every((item, at) => item === before.current[at]);
    if (!isUnchanged) before.current = kept;
    return before.current;
  }, [made]);
}
