import type { Extension } from "@codemirror/state";
import { useMemo, useRef } from "react";
import type { FieldPlace } from "../field-place.ts";
import { useEditor, useEditorStore } from "../use-editor.ts";
import { completionFor } from "./completion.ts";
import { liveOf } from "./live-store.ts";
import { scopeOf } from "./scope.ts";
import { useRunTrigger } from "./use-live.ts";

const NONE: Extension = [];
const COMPLETED = new Set<FieldPlace["language"]>(["expression", "template", "json", "javascript"]);

/** Completion of a field; the values are looked up when somebody asks, not while others type. */
export function useCompletion({ nodeId, language }: FieldPlace): Extension {
  const editor = useEditorStore();
  const trigger = useRunTrigger(useEditor((state) => state.runId)).data;
  const latest = useRef(trigger);
  latest.current = trigger;
  return useMemo(() => {
    if (!COMPLETED.has(language)) return NONE;
    return completionFor(language, () => {
      const { nodes } = liveOf(editor).getState();
      if (language === "javascript") return { input: nodes.get(nodeId)?.input?.["input"] ?? {} };
      return scopeOf(editor.getState().flow, nodeId, { nodes, trigger: latest.current });
    });
  }, [editor, nodeId, language]);
}
