import type { NodeKind } from "./catalogue.ts";

/** 0: talks to the outside, or waits for it. 1: leads to such a node, or holds one. 2: the rest. */
export type Urgency = 0 | 1 | 2;

/** A node as far as others wait for it. */
interface Ranked {
  readonly kind: Pick<NodeKind, "effect" | "pauses">;
  readonly position: number;
  readonly sources: readonly number[];
  readonly children: { readonly nodes: readonly { readonly urgency: Urgency }[] } | undefined;
  urgency: Urgency;
}

/** Backwards from the nodes that talk to the outside. */
export function setUrgency(nodes: readonly Ranked[]): void {
  const pending: number[] = [];
  for (const node of nodes) {
    const isOutside = node.kind.effect || node.kind.pauses === true;
    const holdsOutside = node.children?.nodes.some(({ urgency }) => urgency < 2);
    if (isOutside) node.urgency = 0;
    else if (holdsOutside) node.urgency = 1;
    if (node.urgency < 2) pending.push(node.position);
  }
  for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
    for (const source of nodes[position]!.sources) {
      if (nodes[source]!.urgency < 2) continue;
      nodes[source]!.urgency = 1;
      pending.push(source);
    }
  }
}
