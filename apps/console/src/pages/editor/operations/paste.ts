import { isObject } from "../document.ts";
import type { Flow, FlowEdge, FlowNode } from "../flow.ts";
import { type CanvasNote, nodesAmong, notesAmong, notesOf } from "../notes.ts";
import type { Operation } from "../store.ts";
import { freeId, newEdge, nodeIds, positionOf, withGraph, withInner } from "./change-graph.ts";
import { addNotes } from "./notes.ts";
import { type BareInputs, renamed } from "./rename-node.ts";

/** What lies in the clipboard, as JSON. */
interface CopiedNodes {
  readonly millrace: "nodes";
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly notes?: readonly CanvasNote[];
}

const MAX_COPIED = 2_000;
const SHIFT = 40;

/** The nodes and notes that are selected by these keys. */
export function copyNodes(flow: Flow, keys: readonly string[]): CopiedNodes {
  const chosen = withInner(flow, nodesAmong(keys));
  const chosenNotes = notesAmong(keys);
  const notes = notesOf(flow).filter(({ id }) => chosenNotes.includes(id));
  return {
    millrace: "nodes",
    nodes: flow.graph.nodes.filter(({ id }) => chosen.has(id)),
    edges: flow.graph.edges.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
    ...(notes.length > 0 && { notes }),
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
    const isNote = (note: unknown) =>
      isObject(note) &&
      typeof note["id"] === "string" &&
      typeof note["text"] === "string" &&
      positionOf(note) !== undefined;
    const { millrace, nodes, edges, notes = [] } = value;
    if (millrace !== "nodes" || ![nodes, edges, notes].every(Array.isArray)) return undefined;
    if (nodes!.length > MAX_COPIED || !nodes!.every(isNode) || !edges!.every(isEdge)) return undefined;
    return notes.every(isNote) ? { millrace, nodes: nodes!, edges: edges!, notes } : undefined;
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

/** The copied notes, a little aside. */
export function pasteNotes(flow: Flow, { notes = [] }: CopiedNodes): ReturnType<typeof addNotes> {
  return addNotes(
    flow,
    notes.map((note) => ({
      ...note,
      position: { x: note.position.x + SHIFT, y: note.position.y + SHIFT },
    })),
  );
}

/** Adds the nodes that were copied, under ids of their own; expressions among them follow. */
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
