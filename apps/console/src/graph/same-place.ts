import type { Node } from "@xyflow/react";

/** Whether two nodes are drawn alike, as far as that does not depend on what they hold. */
export function isSamePlace(one: Node, other: Node): boolean {
  return (
    one.selected === other.selected &&
    one.ariaLabel === other.ariaLabel &&
    one.parentId === other.parentId &&
    one.position.x === other.position.x &&
    one.position.y === other.position.y &&
    one.width === other.width &&
    one.height === other.height
  );
}
