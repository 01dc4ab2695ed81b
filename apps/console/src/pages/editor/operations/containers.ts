import { nodeOf } from "../flow.ts";
import type { Operation } from "../store.ts";
import { containersOf, withGraph } from "./change-graph.ts";

/** Moves nodes into a container, or out of all where none is named. Edges across its wall would be invalid and go. */
export function moveInto(ids: readonly string[], container: string | undefined): Operation {
  return (flow) => {
    if (container !== undefined && !nodeOf(flow, container)) return flow;
    const around = container === undefined ? [] : [container, ...containersOf(flow, container)];
    const moved = new Set(
      ids.filter((id) => {
        const node = nodeOf(flow, id);
        return (
          node && node.type !== "start" && !around.includes(id) && (node.parentId ?? undefined) !== container
        );
      }),
    );
    if (moved.size === 0) return flow;
    const nodes = flow.graph.nodes.map((node) => {
      if (!moved.has(node.id)) return node;
      // Places count from the corner of the container, so the old one means nothing here.
      const { parentId: _, position: _place, ...rest } = node;
      const place = "position" in node ? { position: { x: 20, y: 60 } } : {};
      return { ...rest, ...(container && { parentId: container }), ...place };
    });
    const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId ?? ""]));
    const edges = flow.graph.edges.filter(
      ({ source, target }) => parents.get(source) === parents.get(target),
    );
    return withGraph(flow, {
      nodes,
      edges: edges.length === flow.graph.edges.length ? flow.graph.edges : edges,
    });
  };
}

/** Moves a node one place up or down in the list: the order in which beginnings and branches are shown. */
export function moveInList(nodeId: string, by: -1 | 1): Operation {
  return (flow) => {
    const { nodes } = flow.graph;
    const at = nodes.findIndex(({ id }) => id === nodeId);
    const other = at + by;
    if (at === -1 || !nodes[other]) return flow;
    const moved = [...nodes];
    [moved[at], moved[other]] = [nodes[other], nodes[at]!];
    return withGraph(flow, { nodes: moved });
  };
}
