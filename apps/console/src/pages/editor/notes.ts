import type { CanvasNote } from "@millrace/contract/documents/graph";
import type { Flow } from "./flow.ts";

export type { CanvasNote };

/** Of a note that says nothing about it. */
const SIZE = { width: 220, height: 120 };
export const MIN_NOTE = { width: 80, height: 40 };
/** Of its width and of its height. */
export const MAX_NOTE = 10_000;

/** Where notes are selected together with nodes: no node can be called so. */
const KEY = "note:";

export function noteKey(id: string): string {
  return KEY + id;
}

export function isNoteKey(key: string): boolean {
  return key.startsWith(KEY);
}

/** The notes among what is selected, by id. */
export function notesAmong(keys: readonly string[]): string[] {
  return keys.filter(isNoteKey).map((key) => key.slice(KEY.length));
}

export function nodesAmong(keys: readonly string[]): string[] {
  return keys.filter((key) => !isNoteKey(key));
}

/** The first node that is selected. */
export function selectedNode(state: { readonly selection: readonly string[] }): string | undefined {
  return state.selection.find((key) => !isNoteKey(key));
}

const NONE: readonly CanvasNote[] = [];

export function notesOf({ graph }: Pick<Flow, "graph">): readonly CanvasNote[] {
  return graph.notes ?? NONE;
}

export function sizeOf({ width, height }: CanvasNote): { width: number; height: number } {
  return { width: width ?? SIZE.width, height: height ?? SIZE.height };
}

/** The key of everything on the canvas. */
export function keysOf(flow: Flow): string[] {
  return [...flow.graph.nodes.map(({ id }) => id), ...notesOf(flow).map(({ id }) => noteKey(id))];
}
