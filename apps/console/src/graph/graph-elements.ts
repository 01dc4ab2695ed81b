import { isSamePlace } from "./same-place.ts";
import { type Node, Position } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { useT } from "../texts/texts.tsx";
import { statusText } from "../ui/status.tsx";
import type { Box } from "./box.ts";
import type { FlowGraph, NodeMark } from "./graph-model.ts";
import { bendFinder } from "./bend.ts";
import { edgeKey } from "./merge-graphs.ts";
import type { StepEdgeType } from "./step-edge.tsx";
import { wayName, wayPlace } from "./way-name.ts";

export interface NodeData extends Record<string, unknown> {
  readonly label: string;
  readonly type: string;
  readonly mark: NodeMark | undefined;
  readonly container: boolean;
  /** The ways out that lead somewhere, one a line. */
  readonly ways: string;
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
    const ways = waysOf(graph);
    const nodes = graph.nodes.map((node): Node<NodeData> => {
      const box = boxes.get(node.id) ?? UNPLACED;
      const mark = marks.get(node.id);
      const name = node.label || node.id;
      const own = ways.get(node.id) ?? [];
      return {
        id: node.id,
        type: "step",
        position: { x: box.x, y: box.y },
        width: box.width,
        height: box.height,
        ...placeOf(box, own),
        ...(node.parentId && parents.has(node.parentId) && { parentId: node.parentId }),
        data: {
          label: name,
          type: node.type,
          mark,
          container: containers.has(node.id),
          ways: own.join("\n"),
        },
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
  return useReused(made);
}

/** Known beforehand, so the library does not measure a node again whenever it changes. */
function placeOf({ width, height }: Box, ways: readonly string[]): Pick<Node, "measured" | "handles"> {
  const size = { width: 1, height: 1 };
  return {
    measured: { width, height },
    handles: [
      { type: "target", position: Position.Top, x: (width - 1) / 2, y: 0, ...size },
      ...ways.map((id, index) => ({
        id,
        type: "source" as const,
        position: Position.Bottom,
        x: width * wayPlace(index, ways.length) - 0.5,
        y: height - 1,
        ...size,
      })),
    ],
  };
}

/** The ways out of each node that lead somewhere, in the order of the document. */
function waysOf({ edges }: FlowGraph): ReadonlyMap<string, readonly string[]> {
  const bySource = Map.groupBy(edges, ({ source }) => source);
  return new Map(
    [...bySource].map(([id, own]) => [id, [...new Set(own.map(({ sourceHandle }) => sourceHandle))]]),
  );
}

export function useGraphEdges(graph: FlowGraph, boxes: ReadonlyMap<string, Box>): StepEdgeType[] {
  return useMemo(() => {
    const ways = waysOf(graph);
    const bend = bendFinder(graph.nodes, boxes);
    return graph.edges.map((edge, index): StepEdgeType => {
      const { source, sourceHandle, target } = edge;
      const own = ways.get(source)!;
      const label = wayName(sourceHandle, own.length);
      return {
        id: `edge-${index}`,
        source,
        sourceHandle,
        target,
        type: "step",
        focusable: false,
        data: {
          key: edgeKey(edge),
          bend: bend(source, target, wayPlace(own.indexOf(sourceHandle), own.length)),
        },
        ...(sourceHandle !== "out" && { label }),
      };
    });
  }, [graph, boxes]);
}

function isSameNode(one: Node<NodeData>, other: Node<NodeData>): boolean {
  return (
    isSamePlace(one, other) &&
    one.data.container === other.data.container &&
    one.data.ways === other.data.ways &&
    one.data.mark?.status === other.data.mark?.status &&
    one.data.mark?.heat === other.data.mark?.heat &&
    one.data.mark?.difference === other.data.mark?.difference
  );
}

function useReused(made: Node<NodeData>[]): Node<NodeData>[] {
  const before = useRef<Node<NodeData>[]>([]);
  return useMemo(() => {
    const known = new Map(before.current.map((item) => [item.id, item]));
    const kept = made.map((item) => {
      const old = known.get(item.id);
      return old && isSameNode(old, item) ? old : item;
    });
    const isUnchanged =
      kept.length === before.current.length && kept.every((item, at) => item === before.current[at]);
    if (!isUnchanged) before.current = kept;
    return before.current;
  }, [made]);
}
