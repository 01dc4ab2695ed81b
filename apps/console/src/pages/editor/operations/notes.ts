import type { Flow } from "../flow.ts";
import { type CanvasNote, nodesAmong, notesAmong, notesOf } from "../notes.ts";
import type { Operation } from "../store.ts";
import { freeId, withGraph } from "./change-graph.ts";
import { removeNodes } from "./nodes.ts";

/** Adds notes under ids of their own; `ids` are those that they get. */
export function addNotes(
  flow: Flow,
  notes: readonly CanvasNote[],
): { readonly ids: string[]; readonly operation: Operation } {
  const taken = new Set(notesOf(flow).map(({ id }) => id));
  const added = notes.map((note) => {
    const id = freeId(taken, note.id);
    taken.add(id);
    return { ...note, id };
  });
  return {
    ids: added.map(({ id }) => id),
    operation: (before) => (added.length === 0 ? before : withNotes(before, [...notesOf(before), ...added])),
  };
}

export function changeNote(id: string, changed: Partial<Omit<CanvasNote, "id">>): Operation {
  return changeNotes(new Map([[id, changed]]));
}

export function changeNotes(changes: ReadonlyMap<string, Partial<Omit<CanvasNote, "id">>>): Operation {
  return (flow) => {
    const before = notesOf(flow);
    const notes = before.map((note) => {
      const changed = Object.entries(changes.get(note.id) ?? {}).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(note[name as keyof CanvasNote]),
      );
      return changed.length === 0 ? note : { ...note, ...Object.fromEntries(changed) };
    });
    return notes.every((note, at) => note === before[at]) ? flow : withNotes(flow, notes);
  };
}

/** Removes nodes and notes by what selects them. */
export function removeSelected(keys: readonly string[]): Operation {
  const removed = new Set(notesAmong(keys));
  const nodes = removeNodes(nodesAmong(keys));
  return (flow) => {
    const left = notesOf(flow).filter(({ id }) => !removed.has(id));
    return nodes(left.length === notesOf(flow).length ? flow : withNotes(flow, left));
  };
}

function withNotes(flow: Flow, notes: readonly CanvasNote[]): Flow {
  if (notes.length > 0) return withGraph(flow, { notes: [...notes] });
  const { notes: _none, ...graph } = flow.graph;
  return { ...flow, graph };
}
