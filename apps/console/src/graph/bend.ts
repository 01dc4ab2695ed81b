import { type EdgeProps, getSmoothStepPath } from "@xyflow/react";
import type { Box } from "./box.ts";

/** Where an edge turns aside: half way unless stated, close to where it comes from, or close to where it leads. */
export type Bend = "source" | "target" | undefined;

const NEAR = 4;
/** Between a node and one so close below it nothing stands. */
const NEXT_ROW = 60;
const AFTER_SOURCE = 24;
const BEFORE_TARGET = 14;
/** Between two rows there is room for no more on both sides. */
const STRAIGHT = 12;

interface Way {
  readonly from: Box;
  readonly to: Box;
  /** Where along its lower edge it leaves the node: 0 to 1. */
  readonly place: number;
}

/** The bend by which an edge runs through the fewest of the other nodes. */
function bendOf({ from, to, place }: Way, others: readonly Box[]): Bend {
  const [x, y] = [from.x + from.width * place, from.y + from.height];
  const [endX, endY] = [to.x + to.width / 2, to.y];
  if (endY - y < NEXT_ROW) return undefined;
  const crossed = (bendY: number) =>
    others.filter(
      (box) =>
        meets(box, x, x, y, bendY) ||
        meets(box, x, endX, bendY, bendY) ||
        meets(box, endX, endX, bendY, endY),
    ).length;
  const least: { bend: Bend; count: number } = { bend: undefined, count: crossed((y + endY) / 2) };
  if (least.count === 0) return undefined;
  for (const [bend, bendY] of [
    ["source", y + AFTER_SOURCE],
    ["target", endY - BEFORE_TARGET],
  ] as const) {
    const count = crossed(bendY);
    if (count < least.count) Object.assign(least, { bend, count });
  }
  return least.bend;
}

type Ends = Pick<
  EdgeProps,
  "sourceX" | "sourceY" | "targetX" | "targetY" | "sourcePosition" | "targetPosition"
>;

/** Its path as the library draws it, and the middle of that. */
export function bentPath(
  { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition }: Ends,
  bend: Bend,
): ReturnType<typeof getSmoothStepPath> {
  const ends = { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition };
  if (bend === undefined) return getSmoothStepPath({ ...ends, offset: STRAIGHT });
  const centerY = bend === "source" ? sourceY + AFTER_SOURCE : targetY - BEFORE_TARGET;
  return getSmoothStepPath({ ...ends, offset: STRAIGHT, centerY });
}

function meets({ x, y, width, height }: Box, x1: number, x2: number, y1: number, y2: number): boolean {
  return (
    Math.min(x1, x2) < x + width + NEAR &&
    Math.max(x1, x2) > x - NEAR &&
    Math.min(y1, y2) < y + height &&
    Math.max(y1, y2) > y
  );
}

/** The bend of an edge between two nodes of a graph, past those beside them. */
export function bendFinder(
  nodes: readonly { readonly id: string; readonly parentId?: string | null | undefined }[],
  boxes: ReadonlyMap<string, Box>,
): (source: string, target: string, place: number) => Bend {
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId ?? ""]));
  const inside = Map.groupBy(nodes, ({ parentId }) => parentId ?? "");
  return (source, target, place) => {
    const [from, to] = [boxes.get(source), boxes.get(target)];
    if (!from || !to || parents.get(source) !== parents.get(target)) return undefined;
    const beside = inside.get(parents.get(source) ?? "") ?? [];
    const others = beside.flatMap(({ id }) => (id === source || id === target ? [] : (boxes.get(id) ?? [])));
    return bendOf({ from, to, place }, others);
  };
}
