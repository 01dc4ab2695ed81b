/** The approval that `resume.url` in a node leads to. */
export interface ResumeTarget {
  readonly id: string;
  /** How many containers around the node lie between them. */
  readonly levelsUp: number;
}

interface PlacedNode {
  readonly id: string;
  readonly type: string;
  readonly parentId?: string | null | undefined;
}

/** Itself where it is one; else the nearest one ahead, in its own scope or in one around it. */
export function resumeTarget(
  node: PlacedNode,
  nodes: ReadonlyMap<string, PlacedNode>,
  outgoing: ReadonlyMap<string, readonly { readonly target: string }[]>,
): ResumeTarget | undefined {
  if (node.type === "approval") return { id: node.id, levelsUp: 0 };
  let from: PlacedNode | undefined = node;
  for (let levelsUp = 0; from !== undefined; levelsUp += 1) {
    const id = nearestApproval(from.id, nodes, outgoing);
    if (id !== undefined) return { id, levelsUp };
    // A container inside of itself is a fault that is told elsewhere.
    from = from.parentId == null || levelsUp > nodes.size ? undefined : nodes.get(from.parentId);
  }
  return undefined;
}

function nearestApproval(
  start: string,
  nodes: ReadonlyMap<string, PlacedNode>,
  outgoing: ReadonlyMap<string, readonly { readonly target: string }[]>,
): string | undefined {
  const seen = new Set([start]);
  const pending = [start];
  for (const id of pending) {
    for (const { target } of outgoing.get(id) ?? []) {
      if (seen.has(target)) continue;
      if (nodes.get(target)?.type === "approval") return target;
      seen.add(target);
      pending.push(target);
    }
  }
  return undefined;
}

/** The key of the approval, seen from the key of the node that reads `resume.url`: `inner[2].send[3]` and one level up, `ask[2]`. */
export function resumeKey(nodeKey: string, { id, levelsUp }: ResumeTarget): string {
  const rounds = nodeKey.split(".");
  const kept = rounds.slice(0, rounds.length - levelsUp);
  const last = kept.pop();
  return last === undefined ? id : [...kept, last.replace(/^[^[]*/, id)].join(".");
}
