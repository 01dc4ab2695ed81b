import { useEffect, useRef } from "react";
import { isTyping } from "../../shell/shortcuts.tsx";
import { copySelection, cutSelection, pasteText } from "./clipboard.ts";
import { keysOf, selectedNode } from "./notes.ts";
import { removeSelected } from "./operations/notes.ts";
import type { Place } from "./operations/insert.ts";
import type { EditorStore } from "./store.ts";

interface Doing {
  readonly add: (place: Place) => void;
  readonly addNote: () => void;
  readonly openForm: () => void;
}

/** Keys of the editor. What is being typed keeps its own. */
export function useEditorKeys(store: EditorStore, doing: Doing): void {
  const latest = useRef(doing);
  latest.current = doing;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const { undo, redo, change, select, selection, flow } = store.getState();
      const key = event.key.toLowerCase();
      const act = actionOf(event, key);
      if (act) event.preventDefault();
      if (act === "undo") undo();
      else if (act === "redo") redo();
      else if (act === "all") select(keysOf(flow));
      else if (act === "remove") change(removeSelected(selection));
      else if (act === "add") latest.current.add({ after: selectedNode({ selection }) });
      else if (act === "note") latest.current.addNote();
      else if (act === "find") document.getElementById("editor-find")?.focus();
      else if (act === "edit" && selection.length === 1) latest.current.openForm();
      else if (act === "none") select([]);
    };
    const onCopy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || document.getSelection()?.isCollapsed === false) return;
      const text = event.type === "cut" ? cutSelection(store) : copySelection(store);
      if (text === undefined) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      if (pasteText(store, event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);
    return () => {
      window.removeEventListener("keydown", onKey);
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, [store]);
}

type Action = "undo" | "redo" | "all" | "remove" | "add" | "note" | "find" | "edit" | "none";

function actionOf(event: KeyboardEvent, key: string): Action | undefined {
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    if (key === "y") return "redo";
    if (key === "a") return "all";
    return key === "f" ? "find" : undefined;
  }
  if (key === "delete" || key === "backspace") return "remove";
  return PLAIN[key];
}

const PLAIN: Readonly<Record<string, Action>> = {
  a: "add",
  n: "note",
  "/": "find",
  e: "edit",
  escape: "none",
};
