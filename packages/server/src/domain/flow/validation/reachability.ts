import { nameOf, type FlowToCheck } from "./flow-to-check.ts";

/** Nodes the start leads to; the children of a container that is reached are reached. */
export function reachableNodes({ graph, nodes }: Pick<FlowToCheck, "graph" | "nodes">): ReadonlySet<string> {
  const outgoing = Map.groupBy(graph.edges, ({ source }) => source);
  const children = Map.groupBy(graph.nodes, ({ parentId }) => parentId ?? undefined);
  const reached = new Set<string>();
  const pending = graph.nodes.filter(({ type }) => type === "start").map(({ id }) => id);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id) || !nodes.has(id)) continue;
    reached.add(id);
    for (const { target } of outgoing.get(id) ?? []) pending.push(target);
    for (const child of children.get(id) ?? []) pending.push(child.id);
  }
  return reached;
}

export function checkDisabled({ graph }: FlowToCheck, reachable: ReadonlySet<string>): string[] {
  return graph.nodes
    .filter(({ id, data }) => data?.disabled === true && reachable.has(id))
    .map(
      (node) =>
        `${nameOf(node)}: it is disabled but can be reached; enable it, or remove the edges that lead to it.`,
    );
}

export function warnUnreachable({ graph }: FlowToCheck, reachable: ReadonlySet<string>): string[] {
  return graph.nodes
    .filter(({ id, data }) => !reachable.has(id) && data?.disabled !== true)
    .map((node) => `${nameOf(node)}: nothing leads to it from the start, so it never runs.`);
}
