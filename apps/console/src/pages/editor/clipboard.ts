import { bareInputs } from "./node-types.ts";
import { removeNodes } from "./operations/nodes.ts";
import { copyNodes, namesForPaste, paste, readCopied } from "./operations/paste.ts";
import type { EditorStore } from "./store.ts";
import { nodeOf } from "./flow.ts";

/** The selected nodes as JSON; nothing where none is selected. */
export function copySelection(store: EditorStore): string | undefined {
  const { flow, selection } = store.getState();
  return selection.length === 0 ? undefined : JSON.stringify(copyNodes(flow, selection), null, 2);
}

export function cutSelection(store: EditorStore): string | undefined {
  const copied = copySelection(store);
  const { selection, change } = store.getState();
  if (copied !== undefined) change(removeNodes(selection));
  return copied;
}

/** Adds what was copied, and selects it; false where the text is nothing that was copied here. */
export function pasteText(store: EditorStore, text: string): boolean {
  const copied = readCopied(text);
  const { flow, change, select, selection } = store.getState();
  if (!copied) return false;
  const [first] = selection;
  const into = (first !== undefined && nodeOf(flow, first)?.parentId) || undefined;
  const names = [...namesForPaste(flow, copied).values()];
  change(paste(copied, into, bareInputs));
  select(names);
  return true;
}
