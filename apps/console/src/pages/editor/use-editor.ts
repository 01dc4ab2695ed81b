import { createContext, use } from "react";
import { useStore } from "zustand";
import type { EditorState, EditorStore } from "./store.ts";

/** The open editor; the page puts it there. */
export const EditorContext = createContext<EditorStore | undefined>(undefined);

export function useEditorStore(): EditorStore {
  const store = use(EditorContext);
  if (!store) throw new Error("There is no open editor above");
  return store;
}

/** A part of the open editor's state: what shows it is drawn again only when that part is another one. */
export function useEditor<Part>(selector: (state: EditorState) => Part): Part {
  return useStore(useEditorStore(), selector);
}
