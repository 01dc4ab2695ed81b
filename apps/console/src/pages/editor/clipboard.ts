import { bareInputs } from "./node-types.ts";
import { noteKey, selectedNode } from "./notes.ts";
import { removeSelected } from "./operations/notes.ts";
import { copyNodes, namesForPaste, paste, pasteNotes, readCopied } from "./operations/paste.ts";
import type { EditorStore } from "./store.ts";
import { nodeOf } from "./flow.ts";

/** What is selected as JSON; nothing where none is selected. */
export function copySelection(store: EditorStore): string | undefined {
  const { flow, selection } = store.getState();
  return selection.length === 0 ? undefined : JSON.stringify(copyNodes(flow, selection), null, 2);
}

export function cutSelection(store: EditorStore): string | undefined {
  const copied = copySelection(store);
  const { selection, change } = store.getState();
  if (copied !== undefined) change(removeSelected(selection));
  return copied;
}

/** Adds what was copied, and selects it; false where the text is nothing that was copied here. */
export function pasteText(store: EditorStore, text: string): boolean {
  const copied = readCopied(text);
  const state = store.getState();
  if (!copied) return false;
  const { flow, change, select } = state;
  const first = selectedNode(state);
  const into = (first !== undefined && nodeOf(flow, first)?.parentId) || undefined;
  const names = [...namesForPaste(flow, copied).values()];
  const notes = pasteNotes(flow, copied);
  change((before) => notes.operation(paste(copied, into, bareInputs)(before)));
  select([...names, ...notes.ids.map(noteKey)]);
  return true;
}
