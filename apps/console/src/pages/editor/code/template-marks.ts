import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const mark = Decoration.mark({ class: "cm-template" });

/** Makes each `{{ … }}` stand out from the text around it. */
export const templateMarks: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marksOf(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = marksOf(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function marksOf(view: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges)
    for (const found of view.state.sliceDoc(from, to).matchAll(/\{\{[\s\S]*?\}\}/g))
      marks.add(from + found.index, from + found.index + found[0].length, mark);
  return marks.finish();
}
