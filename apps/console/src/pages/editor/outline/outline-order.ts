import type { Flow, FlowNode } from "../flow.ts";
import { handlesOf } from "../node-types.ts";

interface OutlineEntry {
  readonly node: FlowNode;
  readonly depth: number;
}

/** The nodes in the order of execution, those inside a container right after it; a branch stays together. */
export function outlineOrder({ graph }: Pick<Flow, "graph">): OutlineEntry[] {
  const known = new Set(graph.nodes.map(({ id }) => id));
  const parentOf = ({ parentId }: FlowNode) => (parentId && known.has(parentId) ? parentId : "");
  const inside = Map.groupBy(graph.nodes, parentOf);
  const next = Map.groupBy(graph.edges, ({ source }) => source);
  const entries: OutlineEntry[] = [];
  const seen = new Set<string>();

  const list = (container: string, depth: number) => {
    const nodes = inside.get(container) ?? [];
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const waits = new Map(nodes.map(({ id }) => [id, 0]));
    for (const { source, target } of graph.edges)
      if (byId.has(source) && byId.has(target) && source !== target)
        waits.set(target, waits.get(target)! + 1);
    const visit = (node: FlowNode) => {
      if (seen.has(node.id)) return;
      seen.add(node.id);
      entries.push({ node, depth });
      list(node.id, depth + 1);
      const ready = (next.get(node.id) ?? []).flatMap(({ target }) => {
        const left = (waits.get(target) ?? 1) - 1;
        if (!byId.has(target) || target === node.id) return [];
        waits.set(target, left);
        return left === 0 ? [byId.get(target)!] : [];
      });
      for (const one of ready) visit(one);
    };
    for (const node of nodes) if (waits.get(node.id) === 0 && node.type === "start") visit(node);
    for (const node of nodes) if (waits.get(node.id) === 0) visit(node);
    // What a circle keeps from being reached is shown all the same.
    for (const node of nodes) visit(node);
  };
  list("", 0);
  // So are containers that hold each other.
  for (const node of graph.nodes) if (!seen.has(node.id)) entries.push({ node, depth: 0 });
  return entries;
}

/** The last node that leads nowhere yet: where a flow goes on that is written from its beginning to its end. */
export function lastOpen(flow: Flow): string | undefined {
  const sources = new Set(flow.graph.edges.map(({ source }) => source));
  return outlineOrder(flow).findLast(
    ({ node, depth }) => depth === 0 && !sources.has(node.id) && handlesOf(node).length > 0,
  )?.node.id;
}
