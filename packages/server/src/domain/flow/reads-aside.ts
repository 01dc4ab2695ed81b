import type { Template } from "./expressions/template.ts";

/** A node as far as it reads others. */
interface Reader {
  readonly inputs: readonly { readonly template: Template }[];
  readonly children: { readonly nodes: readonly Reader[] } | undefined;
}

/** A node as far as its order is concerned. */
interface Marked extends Reader {
  readonly id: string;
  readonly position: number;
  readonly joinsAny: boolean;
  readonly sources: readonly number[];
  readonly outgoing: readonly { readonly target: number }[];
  readsAside: boolean;
}

interface Reads {
  readonly ids: ReadonlySet<string>;
  /** It may read every node. */
  readonly isWhole: boolean;
}

/**
 * Marks the nodes of a scope that may read another one that has not surely ended before them: one beside them, or one that
 * lost against another way into a node that joins any. What they see must not depend on who is quicker.
 */
export function markReadsAside(nodes: readonly Marked[]): void {
  const reads = nodes.map(readsOf);
  if (!reads.some(({ ids, isWhole }) => isWhole || ids.size > 0)) return;
  const order = inOrder(nodes);
  const before = surelyBefore(nodes, order);
  // Then every two of them have an order.
  const isChain = order.every((position, at) => at === 0 || has(before[position]!, order[at - 1]!));
  const positions = new Map(nodes.map(({ id, position }) => [id, position]));
  for (const node of nodes) {
    const { ids, isWhole } = reads[node.position]!;
    const isAside = (id: string) => {
      const other = positions.get(id);
      if (other === undefined || other === node.position) return false;
      return !has(before[node.position]!, other) && !has(before[other]!, node.position);
    };
    node.readsAside = (isWhole && !isChain) || ids.values().some(isAside);
  }
}

/** What the inputs of a node read, and those of all nodes inside it. */
function readsOf({ inputs, children }: Reader): Reads {
  const expressions = inputs.flatMap(({ template }) => template.expressions);
  const inside = children?.nodes.map(readsOf) ?? [];
  return {
    ids: new Set([
      ...expressions.flatMap(({ nodes }) => [...nodes]),
      ...inside.flatMap(({ ids }) => [...ids]),
    ]),
    isWhole: expressions.some(({ readsAllNodes }) => readsAllNodes) || inside.some(({ isWhole }) => isWhole),
  };
}

/** Each node behind all that lead to it. */
function inOrder(nodes: readonly Marked[]): number[] {
  const left = nodes.map(({ sources }) => sources.length);
  const order = nodes.filter(({ sources }) => sources.length === 0).map(({ position }) => position);
  // It grows while it is read.
  for (const position of order) {
    for (const { target } of nodes[position]!.outgoing) {
      left[target]! -= 1;
      if (left[target] === 0) order.push(target);
    }
  }
  return order;
}

/** By position, as sets of bits: the nodes that have been decided when it begins, whichever way leads to it. */
function surelyBefore(nodes: readonly Marked[], order: readonly number[]): bigint[] {
  const before = nodes.map(() => 0n);
  for (const position of order) {
    const { joinsAny, sources } = nodes[position]!;
    const ways = sources.map((source) => before[source]! | bitOf(source));
    before[position] = joinsAny
      ? ways.reduce((common, way) => common & way)
      : ways.reduce((all, way) => all | way, 0n);
  }
  return before;
}

function bitOf(position: number): bigint {
  return 1n << BigInt(position);
}

function has(bits: bigint, position: number): boolean {
  return (bits & bitOf(position)) !== 0n;
}
