import type { Extension } from "@codemirror/state";
import { type ComponentType, lazy, type ReactNode } from "react";
import type { TextKey } from "../../texts/texts.tsx";
import type { FieldPlace } from "./field-place.ts";
import { LiveResult } from "./live/field-result.tsx";
import { NewestRun } from "./live/run-chooser.tsx";
import { useCompletion } from "./live/use-field-extensions.ts";
import { OwnedNote } from "./publish/owned-note.tsx";
import { PublishButton } from "./publish/publish-button.tsx";

export type { FieldPlace };

/*
 * Where live values, tests, back-tests and publishing are put into the editor: the page draws what stands here, and
 * everything reads the open editor by `useEditor`.
 */

/** What a code field of a form has beyond its language: completion from recorded values. */
export function useFieldExtensions(place: FieldPlace): Extension {
  return useCompletion(place);
}

/** What stands below a field: its result on the chosen run. */
export function FieldResult({ place, value }: { place: FieldPlace; value: unknown }): ReactNode {
  return <LiveResult place={place} value={value} />;
}

/** Buttons at the end of the editor's header. */
export function HeaderActions(): ReactNode {
  return (
    <>
      <NewestRun />
      <OwnedNote />
      <PublishButton />
    </>
  );
}

// Each comes when its tab is opened.
const ValuesPanel = lazy(async () => ({ default: (await import("./live/values-panel.tsx")).ValuesPanel }));
const TestsTab = lazy(async () => ({ default: (await import("./tests/tests-tab.tsx")).TestsTab }));

/** Tabs of the panel at the side, beside "Node" and "Flow". */
export const sideTabs: readonly {
  readonly id: string;
  readonly text: TextKey;
  readonly Panel: ComponentType;
}[] = [
  { id: "values", text: "live.tab", Panel: ValuesPanel },
  { id: "tests", text: "tests.title", Panel: TestsTab },
];
