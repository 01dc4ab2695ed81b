import type { Extension } from "@codemirror/state";
import type { ReactNode } from "react";
import type { TextKey } from "../../texts/texts.tsx";

/*
 * Where live values, tests, back-tests and publishing are put into the editor: the page draws what stands here, and
 * everything reads the open editor by `useEditor`.
 */

/** A field of a node's form. */
export interface FieldPlace {
  readonly nodeId: string;
  /** In the node, such as `["data", "inputs", "url"]`. */
  readonly path: readonly (string | number)[];
  /** `expression` is JSONata as it stands; `template` and `json` hold it in `{{ }}`. */
  readonly language: "expression" | "template" | "json" | "javascript" | "sql" | "text";
}

const NONE: Extension = [];

/** What a code field of a form has beyond its language, such as completion. */
export function useFieldExtensions(_place: FieldPlace): Extension {
  return NONE;
}

/** What stands below a field: its result on the chosen run. */
export function FieldResult(_props: { place: FieldPlace; value: unknown }): ReactNode {
  return null;
}

/** Buttons at the end of the editor's header. */
export function HeaderActions(): ReactNode {
  return null;
}

/** Tabs of the panel at the side, beside "Node" and "Flow". */
export const sideTabs: readonly {
  readonly id: string;
  readonly text: TextKey;
  readonly Panel: () => ReactNode;
}[] = [];
