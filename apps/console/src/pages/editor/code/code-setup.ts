import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { javascript, jsonata, sql } from "./small-languages.ts";
import { templateMarks } from "./template-marks.ts";

export type CodeLanguage = "expression" | "template" | "javascript" | "json" | "sql" | "yaml" | "text";

const theme = EditorView.theme({
  "&": { fontSize: "0.8125rem", color: "var(--ink)", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto", maxHeight: "100%" },
  ".cm-content": { padding: "5px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 9px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--selected)",
  },
  ".cm-gutters": { background: "var(--sunken)", color: "var(--ink-3)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "var(--hover)" },
  ".cm-tooltip": {
    background: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "7px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--selected)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--ink-2)", fontStyle: "normal" },
  ".cm-panels": { background: "var(--raised)", color: "var(--ink)" },
  ".cm-searchMatch": { background: "var(--warn-soft)" },
  ".cm-template": { color: "var(--accent)", background: "var(--accent-soft)", borderRadius: "3px" },
  ".cm-diagnostic": { borderLeft: "3px solid var(--bad)", padding: "3px 8px" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--busy)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--warn)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--busy)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

/**
 * A selection that is typed over. The browser would keep its looks for the new text by style attributes, which the
 * policy forbids.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== "insertText" || data === null || empty || isComposing || view.state.readOnly)
      return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

export const baseExtensions: Extension = [
  typedOver,
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  EditorView.lineWrapping,
  syntaxHighlighting(colours),
  theme,
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
];

/** Each language comes when it is first needed. */
export async function loadLanguage(language: CodeLanguage): Promise<Extension> {
  switch (language) {
    case "javascript":
      return StreamLanguage.define(javascript);
    case "json":
      return [(await import("@codemirror/lang-json")).json(), templateMarks];
    case "sql":
      return StreamLanguage.define(sql);
    case "yaml":
      return [(await import("@codemirror/lang-yaml")).yaml(), templateMarks];
    case "expression":
      return StreamLanguage.define(jsonata);
    case "template":
      return templateMarks;
    case "text":
      return [];
  }
}
