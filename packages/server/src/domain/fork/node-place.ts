import type { CompiledFlow, CompiledNode, CompiledScope } from "../flow/compile.ts";

/** Where an execution of a node stands: its containers from the outside in, each with the round, and itself. */
export interface NodePlace {
  readonly nodeKey: string;
  readonly node: CompiledNode;
  readonly scope: CompiledScope;
  readonly around: readonly Surrounding[];
}

export interface Surrounding {
  readonly containerKey: string;
  readonly container: CompiledNode;
  /** The nodes beside the container, itself among them. */
  readonly scope: CompiledScope;
  readonly round: number;
}

const SEGMENT = /^([A-Za-z0-9_-]+)(?:\[(\d{1,9})\])?$/;

/** Reads node keys such as `fetch`, `fetch[3]` and `inner[2].fetch[3]` against a graph. */
export class NodePlaces {
  readonly #flow: CompiledFlow;
  readonly #parents = new Map<string, CompiledNode>();

  constructor(flow: CompiledFlow) {
    this.#flow = flow;
    for (const container of flow.nodes.values())
      for (const { id } of container.children?.nodes ?? []) this.#parents.set(id, container);
  }

  /** Undefined where the graph has no such place. */
  find(nodeKey: string): NodePlace | undefined {
    const segments = nodeKey.split(".");
    const around: Surrounding[] = [];
    let scope = this.#flow.root;
    let container: CompiledNode | undefined;
    let node: CompiledNode | undefined;
    for (const [at, segment] of segments.entries()) {
      const [, id, round] = SEGMENT.exec(segment) ?? [];
      node = id === undefined ? undefined : this.#flow.nodes.get(id);
      if (node === undefined) return undefined;
      const parent = this.#parents.get(node.id);
      if (parent === undefined || round === undefined) {
        if (parent !== undefined || round !== undefined || segments.length > 1) return undefined;
        break;
      }
      // The first container is one of the flow itself and has no name in the key; each other is the segment before.
      const isInPlace = at === 0 ? !this.#parents.has(parent.id) : parent === container;
      if (!isInPlace) return undefined;
      const containerKey = at === 0 ? parent.id : segments.slice(0, at).join(".");
      around.push({ containerKey, container: parent, scope, round: Number(round) });
      scope = parent.children!;
      container = node;
    }
    return { nodeKey, node: node!, scope, around };
  }
}

/** Nodes of a scope that come behind one of them, by any way. */
export function nodesBehind(scope: CompiledScope, node: CompiledNode): ReadonlySet<CompiledNode> {
  const behind = new Set<CompiledNode>();
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { target } of next.outgoing) {
      const found = scope.nodes[target]!;
      if (!behind.has(found)) pending.push(found);
      behind.add(found);
    }
  }
  return behind;
}

/** How many nodes of the graph a node stands for: itself, and all that is inside of it. */
export function nodeCountOf({ children }: CompiledNode): number {
  return (children?.nodes ?? []).reduce((count, inside) => count + nodeCountOf(inside), 1);
}
