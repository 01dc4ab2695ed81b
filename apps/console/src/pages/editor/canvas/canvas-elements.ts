import type { Edge, Node } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { type Bend, bendFinder } from "../../../graph/bend.ts";
import { isSamePlace } from "../../../graph/same-place.ts";
import { wayName, wayPlace } from "../../../graph/way-name.ts";
import type { Flow } from "../flow.ts";
import { labelOf } from "../flow.ts";
import { handlesOf } from "../node-types.ts";
import { containersOf, edgeKey, type Position } from "../operations/change-graph.ts";
import { handleOf } from "../operations/insert.ts";
import { noteOf } from "../operations/set-field.ts";
import type { Problem } from "../store.ts";
import { placesOf } from "./places.ts";

interface StepData extends Record<string, unknown> {
  readonly label: string;
  readonly type: string;
  readonly note: string;
  /** One a line. */
  readonly handles: string;
  readonly problems: number;
  readonly container: boolean;
}

export type StepNode = Node<StepData, "step">;
export type WayEdge = Edge<{ label: string; bend: Bend }>;

/** What the library draws; a node that has not changed stays the same object, so that it is not drawn again. */
export function useSteps(
  flow: Flow,
  selection: readonly string[],
  errors: readonly Problem[],
  dragged: ReadonlyMap<string, Position>,
  words: (count: number) => string,
): StepNode[] {
  const steps = usePlacedSteps(flow, selection, errors, words);
  // Of each frame of a drag only what is dragged is new.
  return useMemo(() => {
    if (dragged.size === 0) return steps;
    return steps.map((step) => {
      const position = dragged.get(step.id);
      // With its size: the library would look at its handles again in each frame.
      return position ? { ...step, position, measured: sizeOf(step) } : step;
    });
  }, [steps, dragged]);
}

function sizeOf({ width, height }: StepNode): StepNode["measured"] {
  return width === undefined || height === undefined ? undefined : { width, height };
}

function usePlacedSteps(
  flow: Flow,
  selection: readonly string[],
  errors: readonly Problem[],
  words: (count: number) => string,
): StepNode[] {
  const before = useRef(new Map<string, StepNode>());
  return useMemo(() => {
    const boxes = placesOf(flow);
    const counts = new Map<string, number>();
    for (const { nodeId } of errors) if (nodeId) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
    const holders = new Set(flow.graph.nodes.map(({ parentId }) => parentId));
    const selected = new Set(selection);
    const known = new Set(flow.graph.nodes.map(({ id }) => id));
    const made = flow.graph.nodes.map((node): StepNode => {
      const { x, y, width, height } = boxes.get(node.id)!;
      const problems = counts.get(node.id) ?? 0;
      const data = {
        label: labelOf(node),
        type: node.type,
        note: noteOf(node),
        handles: handlesOf(node).join("\n"),
        problems,
        container: holders.has(node.id),
      };
      return {
        id: node.id,
        type: "step",
        position: { x, y },
        width,
        height,
        ...(node.parentId && known.has(node.parentId) && { parentId: node.parentId }),
        data,
        selected: selected.has(node.id),
        ariaLabel: [data.label, node.type, problems > 0 && words(problems), data.note]
          .filter(Boolean)
          .join(", "),
      };
    });
    const kept = made.map((node) => {
      const old = before.current.get(node.id);
      return old && isSameNode(old, node) ? old : node;
    });
    before.current = new Map(kept.map((node) => [node.id, node]));
    if (holders.size <= 1) return kept;
    // Parents first: the library places a node by what stands before it.
    const depths = new Map(kept.map(({ id }) => [id, containersOf(flow, id).length]));
    return kept.toSorted((one, other) => depths.get(one.id)! - depths.get(other.id)!);
  }, [flow, selection, errors, words]);
}

function isSameNode(one: StepNode, other: StepNode): boolean {
  return (
    isSamePlace(one, other) &&
    one.data.handles === other.data.handles &&
    one.data.container === other.data.container
  );
}

export function useWays(flow: Flow): WayEdge[] {
  const { nodes, edges } = flow.graph;
  const before = useRef(new Map<string, WayEdge>());
  return useMemo(() => {
    const known = new Map(nodes.map((node) => [node.id, node]));
    const bend = bendFinder(nodes, placesOf(flow));
    const made = edges
      .filter(({ source, target }) => known.has(source) && known.has(target))
      .map((edge): WayEdge => {
        const handle = handleOf(flow, edge);
        const handles = handlesOf(known.get(edge.source)!);
        const place = wayPlace(Math.max(0, handles.indexOf(handle)), Math.max(1, handles.length));
        return {
          id: edgeKey(edge),
          type: "way",
          source: edge.source,
          target: edge.target,
          sourceHandle: handle,
          focusable: false,
          data: {
            label: handle === "out" ? "" : wayName(handle, handles.length),
            bend: bend(edge.source, edge.target, place),
          },
        };
      });
    const kept = made.map((edge) => {
      const old = before.current.get(edge.id);
      const isSame =
        old?.source === edge.source &&
        old.target === edge.target &&
        old.sourceHandle === edge.sourceHandle &&
        old.data?.label === edge.data?.label &&
        old.data?.bend === edge.data?.bend;
      return isSame ? old : edge;
    });
    before.current = new Map(kept.map((edge) => [edge.id, edge]));
    return kept;
  }, [nodes, edges]);
}
