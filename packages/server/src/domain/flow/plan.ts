import type { CompiledNode, CompiledScope } from "./compile.ts";

/** Where one round of a scope stands; the nodes are named by their position. */
export interface Plan {
  /** Incoming edges that are neither taken nor dead yet. */
  readonly undecided: Int32Array;
  /** 1 where an incoming edge was taken. */
  readonly taken: Uint8Array;
  /** 1 where the node was told to run or is known never to run. */
  readonly decided: Uint8Array;
  /** By node that joins any: where it is reached from. Only where there is one in the scope. */
  readonly winners: Map<number, number> | undefined;
}

/** `winners`: those that are known from before; the nodes they led to wait for them. */
export function startPlan(
  scope: CompiledScope,
  winners?: ReadonlyMap<number, number>,
): { plan: Plan; ready: number[] } {
  const size = scope.nodes.length;
  const plan = {
    undecided: new Int32Array(size),
    taken: new Uint8Array(size),
    decided: new Uint8Array(size),
    winners: scope.anyJoins.length > 0 ? new Map(winners) : undefined,
  };
  for (const node of scope.nodes) plan.undecided[node.position] = node.sources.length;
  const ready = [...scope.entries];
  for (const position of ready) plan.decided[position] = 1;
  for (const position of scope.orphans) decideEdgesOf(scope, plan, position, undefined, ready);
  return { plan, ready };
}

/** A node has ended and left by `handle`: its other edges are dead. Answers the nodes that are ready now. */
export function settleNode(scope: CompiledScope, plan: Plan, position: number, handle: string): number[] {
  const ready: number[] = [];
  decideEdgesOf(scope, plan, position, handle, ready);
  return ready;
}

/** All edges behind a node that never runs are dead, and so on. Not recursive: a chain may have 2,000 nodes. */
function decideEdgesOf(
  scope: CompiledScope,
  plan: Plan,
  position: number,
  handle: string | undefined,
  ready: number[],
): void {
  const dead: number[] = [];
  let current: number | undefined = position;
  let leftBy = handle;
  while (current !== undefined) {
    plan.decided[current] = 1;
    for (const edge of nodeAt(scope, current).outgoing) {
      const undecided = plan.undecided[edge.target]! - 1;
      plan.undecided[edge.target] = undecided;
      const isTaken = edge.handle === leftBy;
      if (isTaken) plan.taken[edge.target] = 1;
      if (plan.decided[edge.target] === 1) continue;
      const isFirst = isTaken && nodeAt(scope, edge.target).joinsAny && wins(plan, edge.target, current);
      if (isFirst || (plan.taken[edge.target] === 1 && undecided === 0)) {
        plan.decided[edge.target] = 1;
        ready.push(edge.target);
      } else if (undecided === 0) dead.push(edge.target);
    }
    current = dead.pop();
    leftBy = undefined;
  }
}

/** Whether a node that joins any begins by this way. */
function wins({ winners }: Plan, target: number, source: number): boolean {
  const winner = winners!.get(target) ?? source;
  winners!.set(target, winner);
  return winner === source;
}

function nodeAt(scope: CompiledScope, position: number): CompiledNode {
  return scope.nodes[position] as CompiledNode;
}
