import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  type StreamParser,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
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

export const baseExtensions: Extension = [
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

/** JSONata, as far as colours go. */
const jsonata: StreamParser<null> = {
  token(stream) {
    if (stream.match(/\/\*.*?\*\//)) return "comment";
    if (stream.match(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?/)) return "string";
    if (stream.match(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number";
    if (stream.match(/\$[A-Za-z_]\w*/)) return "variableName.function";
    if (stream.match(/(?:and|or|in|function|true|false|null)\b/)) return "keyword";
    if (stream.match(/[A-Za-z_]\w*|`[^`]*`/)) return "propertyName";
    stream.next();
    return null;
  },
};

/** Each language comes when it is first needed. */
export async function loadLanguage(language: CodeLanguage): Promise<Extension> {
  switch (language) {
    case "javascript":
      return (await import("@codemirror/lang-javascript")).javascript();
    case "json":
      return [(await import("@codemirror/lang-json")).json(), templateMarks];
    case "sql": {
      const { PostgreSQL, sql } = await import("@codemirror/lang-sql");
      return sql({ dialect: PostgreSQL });
    }
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
