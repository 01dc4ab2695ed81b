import { lintGutter, linter } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useT } from "../../texts/texts.tsx";
import { CodeField } from "./code/code-field.tsx";
import { lineFinder } from "./document.ts";
import type { EditorState } from "./store.ts";
import { textOf } from "./store.ts";
import { useEditor } from "./use-editor.ts";

const READ_AFTER_MS = 150;

/** The draft as its document says it. What cannot be read is marked where it stands, and so is what would not run. */
export function YamlPane(): ReactNode {
  const t = useT();
  const type = useEditor((state) => state.type);
  const faults = useEditor((state) => state.faults);
  const errors = useEditor((state) => state.errors);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const known = useEditor(textOf);
  const [text, setText] = useState(known);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; text: string }>(undefined);
  const said = useRef(known);

  useEffect(() => {
    if (known === said.current || waiting.current) return;
    said.current = known;
    setText(known);
  }, [known]);

  const read = useCallback(() => {
    if (!waiting.current) return;
    clearTimeout(waiting.current.timer);
    said.current = waiting.current.text;
    waiting.current = undefined;
    type(said.current);
  }, [type]);
  // What was typed last is read before the pane goes.
  useEffect(() => read, [read]);
  const onChange = useCallback(
    (typed: string) => {
      setText(typed);
      clearTimeout(waiting.current?.timer);
      waiting.current = { text: typed, timer: setTimeout(read, READ_AFTER_MS) };
    },
    [read],
  );

  const extensions = useMemo(
    () => [
      lineNumbers(),
      lintGutter(),
      search({ top: true }),
      keymap.of(searchKeymap),
      linter((view) => diagnosticsOf(view, faults, errors), { delay: 50 }),
    ],
    [faults, errors],
  );
  return (
    <CodeField
      fill
      hideLabel
      value={text}
      language="yaml"
      label={t("editor.yaml")}
      extensions={extensions}
      isInvalid={faults.length > 0}
      isReadOnly={isReadOnly}
      onChange={onChange}
    />
  );
}

function diagnosticsOf(view: EditorView, faults: EditorState["faults"], errors: EditorState["errors"]) {
  const { doc } = view.state;
  if (faults.length + errors.length === 0) return [];
  const lineOf = lineFinder(doc.toString());
  // Of a text that cannot be read nobody knows whether it would run.
  const marks =
    faults.length > 0
      ? faults
      : errors.map(({ path, message }) => ({ line: lineOf(["graph", ...path]), message }));
  return marks.map(({ line, message }) => {
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return { from, to, message, severity: "error" as const };
  });
}
