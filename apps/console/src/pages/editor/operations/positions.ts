import type { Operation } from "../store.ts";
import { mapNodes, type Position, positionOf } from "./change-graph.ts";

/** Where nodes stand from now on. */
export function setPositions(places: ReadonlyMap<string, Position>): Operation {
  return (flow) =>
    mapNodes(flow, (node) => {
      const place = places.get(node.id);
      const before = positionOf(node);
      if (!place || (before?.x === place.x && before.y === place.y)) return node;
      return { ...node, position: { x: Math.round(place.x), y: Math.round(place.y) } };
    });
}

export type Alignment = "left" | "top" | "column" | "row";
const GAP = { column: 98, row: 218 };

/** Puts nodes under or beside each other: on one line, or at equal distances in the order in which they stand. */
export function align(places: ReadonlyMap<string, Position>, how: Alignment): Operation {
  const entries = [...places];
  const left = Math.min(...entries.map(([, { x }]) => x));
  const top = Math.min(...entries.map(([, { y }]) => y));
  const axis = how === "row" ? "x" : "y";
  const sorted = entries.toSorted(([, one], [, other]) => one[axis] - other[axis]);
  const moved = sorted.map(([id, { x, y }], index): [string, Position] => {
    if (how === "left") return [id, { x: left, y }];
    if (how === "top") return [id, { x, y: top }];
    if (how === "column") return [id, { x: left, y: top + index * GAP.column }];
    return [id, { x: left + index * GAP.row, y: top }];
  });
  return entries.length < 2 ? (flow) => flow : setPositions(new Map(moved));
}
