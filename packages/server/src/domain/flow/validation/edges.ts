import type { FlowEdge, FlowNode } from "@millrace/contract/documents/graph";
import type { Sliced } from "../../sliced.ts";
import { errorHandle, handleOf, handlesOf } from "../handles.ts";
import { nameOf, type FlowToCheck } from "./flow-to-check.ts";

const maxNamed = 20;

/** Edges join nodes that exist, by a handle that exists, on the same side of a container's wall. */
export function* checkEdges(flow: FlowToCheck): Sliced<string[]> {
  const errors: string[] = [];
  const seen = new Set<string>();
  const handles = new Map<FlowNode, ReadonlySet<string>>();
  for (const edge of flow.graph.edges) {
    if (edge.id != null && seen.has(edge.id))
      errors.push(`Edge "${edge.id}": the id is used more than once.`);
    if (edge.id != null) seen.add(edge.id);
    const fault = faultOf(edge, flow, handles);
    if (fault !== undefined) errors.push(fault);
    yield;
  }
  return errors;
}

function faultOf(
  edge: FlowEdge,
  flow: FlowToCheck,
  known: Map<FlowNode, ReadonlySet<string>>,
): string | undefined {
  const name = edgeName(edge);
  const source = flow.nodes.get(edge.source);
  const target = flow.nodes.get(edge.target);
  if (source === undefined)
    return `${name}: there is no node "${edge.source}"; remove the edge or correct its source.`;
  if (target === undefined)
    return `${name}: there is no node "${edge.target}"; remove the edge or correct its target.`;
  if (target.type === "start")
    return `${name}: the start node "${target.id}" cannot have incoming edges; remove the edge.`;
  if ((source.parentId ?? undefined) !== (target.parentId ?? undefined)) {
    return `${name}: the edge crosses the boundary of a container; connect nodes inside the same container, or the container itself.`;
  }
  const kind = flow.kindOf(source);
  if (kind === undefined) return undefined;
  const handles = known.get(source) ?? new Set(handlesOf(source, kind));
  known.set(source, handles);
  const handle = handleOf(edge, source, kind);
  if (handles.has(handle)) return undefined;
  if (handles.size === 0) {
    return `${nameOf(source)}: nothing can follow a node of type "${source.type}"; remove ${name.toLowerCase()}.`;
  }
  const hint = handle === "error" ? " (error exists with onError: branch)" : "";
  return `${nameOf(source)}: ${name.toLowerCase()} leaves by the handle "${handle}", which it does not have; use ${handles.values().take(maxNamed).toArray().join(", ")}${hint}.`;
}

function edgeName({ id, source, target }: FlowEdge): string {
  return id == null ? `Edge ${source} → ${target}` : `Edge "${id}" (${source} → ${target})`;
}

/** Who asks for a branch of its own for errors has to say where it leads: otherwise they would go nowhere, unseen. */
export function checkErrorBranches({ graph, nodes }: FlowToCheck): string[] {
  const branching = new Set(
    graph.edges.filter(({ sourceHandle }) => sourceHandle === errorHandle).map(({ source }) => source),
  );
  return [...nodes.values()]
    .filter(({ id, data }) => data?.onError === "branch" && !branching.has(id))
    .map(
      (node) =>
        `${nameOf(node)}: onError is branch, but no edge leaves by the handle "error"; add one, or choose fail or continue.`,
    );
}

/** Loops are containers; the edges themselves never lead back. */
export function checkCycles({ graph, nodes }: FlowToCheck): string[] {
  const waiting = new Map<string, number>([...nodes.keys()].map((id) => [id, 0]));
  const outgoing = Map.groupBy(graph.edges, ({ source }) => source);
  for (const { source, target } of graph.edges) {
    if (nodes.has(source) && nodes.has(target)) waiting.set(target, waiting.get(target)! + 1);
  }
  const free = [...waiting].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    waiting.delete(id);
    for (const { target } of outgoing.get(id) ?? []) {
      const count = waiting.get(target);
      if (count === undefined) continue;
      waiting.set(target, count - 1);
      if (count === 1) free.push(target);
    }
  }
  const circle = findCircle([...waiting.keys()], outgoing, waiting);
  if (circle.length === 0) return [];
  const first = nodes.get(circle[0] as string) as FlowNode;
  return [
    `${nameOf(first)}: the edges form a cycle (${circle.join(" → ")}); use a for-each or while container to repeat nodes.`,
  ];
}

/** Every node that is left leads to another one that is left, or hangs behind a circle. */
function findCircle(
  ids: readonly string[],
  outgoing: ReadonlyMap<string, readonly FlowEdge[]>,
  left: ReadonlyMap<string, number>,
): string[] {
  const incoming = new Map<string, string>();
  for (const id of ids) {
    for (const { target } of outgoing.get(id) ?? []) if (left.has(target)) incoming.set(target, id);
  }
  const [start] = ids;
  if (start === undefined) return [];
  // Going backwards from any of them ends in a circle, because each has a predecessor that is left.
  const path: string[] = [];
  let id: string = start;
  while (!path.includes(id)) {
    path.push(id);
    id = incoming.get(id) as string;
  }
  return [...path.slice(path.indexOf(id)), id].toReversed();
}
