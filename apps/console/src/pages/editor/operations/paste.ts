import { isObject } from "../document.ts";
import type { Flow, FlowEdge, FlowNode } from "../flow.ts";
import type { Operation } from "../store.ts";
import { freeId, newEdge, nodeIds, positionOf, withGraph, withInner } from "./change-graph.ts";
import { type BareInputs, renamed } from "./rename-node.ts";

/** What lies in the clipboard, as JSON. */
interface CopiedNodes {
  readonly millrace: "nodes";
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

const MAX_COPIED = 2_000;
const SHIFT = 40;

export function copyNodes(flow: Flow, ids: readonly string[]): CopiedNodes {
  const chosen = withInner(flow, ids);
  return {
    millrace: "nodes",
    nodes: flow.graph.nodes.filter(({ id }) => chosen.has(id)),
    edges: flow.graph.edges.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
  };
}

/** What was copied, here or in another browser; undefined where the clipboard holds something else. */
export function readCopied(text: string): CopiedNodes | undefined {
  try {
    const value = JSON.parse(text) as Partial<CopiedNodes>;
    const isNode = (node: unknown) =>
      isObject(node) &&
      typeof node["id"] === "string" &&
      typeof node["type"] === "string" &&
      (node["data"] == null || isObject(node["data"]));
    const isEdge = (edge: unknown) =>
      isObject(edge) && typeof edge["source"] === "string" && typeof edge["target"] === "string";
    const { millrace, nodes, edges } = value;
    if (millrace !== "nodes" || !Array.isArray(nodes) || !Array.isArray(edges)) return undefined;
    if (nodes.length > MAX_COPIED || !nodes.every(isNode) || !edges.every(isEdge)) return undefined;
    return { millrace, nodes, edges };
  } catch {
    return undefined;
  }
}

/** The ids that copied nodes get in a flow. */
export function namesForPaste(flow: Flow, copied: CopiedNodes): ReadonlyMap<string, string> {
  const taken = nodeIds(flow);
  const names = new Map<string, string>();
  for (const { id } of pasteable(flow, copied)) {
    const name = freeId(taken, id);
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/** Adds what was copied, under ids of its own; expressions among the pasted nodes follow. */
export function paste(copied: CopiedNodes, into: string | undefined, bareInputs: BareInputs): Operation {
  return (flow) => {
    const names = namesForPaste(flow, copied);
    if (names.size === 0) return flow;
    const added = pasteable(flow, copied).map((node) => {
      const isInner = node.parentId && names.has(node.parentId);
      const { parentId: _, ...outer } = node;
      const place = positionOf(node);
      return renamed(
        isInner
          ? node
          : {
              ...outer,
              ...(into && { parentId: into }),
              ...(place && { position: { x: place.x + SHIFT, y: place.y + SHIFT } }),
            },
        names,
        bareInputs,
      );
    });
    let pasted = withGraph(flow, { nodes: [...flow.graph.nodes, ...added] });
    for (const { source, target, sourceHandle } of copied.edges) {
      const [from, to] = [names.get(source), names.get(target)];
      if (from === undefined || to === undefined) continue;
      const edge = newEdge(pasted, { source: from, target: to }, sourceHandle ?? undefined);
      pasted = withGraph(pasted, { edges: [...pasted.graph.edges, edge] });
    }
    return pasted;
  };
}

/** A flow has one `start`. */
function pasteable(flow: Flow, { nodes }: CopiedNodes): readonly FlowNode[] {
  const hasStart = flow.graph.nodes.some(({ type }) => type === "start");
  return hasStart ? nodes.filter(({ type }) => type !== "start") : nodes;
}
