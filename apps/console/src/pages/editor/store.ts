import { createStore, type StoreApi } from "zustand/vanilla";
import { readText, type TextFault } from "./document.ts";
import type { Flow } from "./flow.ts";
import { keysOf } from "./notes.ts";
import { isSame, rewriteText, writeText } from "./rewrite.ts";

/** Makes another draft out of one, and leaves the one it was given as it is. */
export type Operation = (flow: Flow) => Flow;

/** What the service finds wrong with a node, or with the whole where no node is named. */
export interface Problem {
  readonly nodeId?: string;
  /** In the graph. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What somebody else saved meanwhile. */
interface Conflict {
  readonly flow: Flow;
  readonly revision: number;
}

interface Moment {
  /** What `flow` was read from, or written into last; `textOf` brings it up to date. */
  readonly text: string;
  readonly flow: Flow;
}

/** The one state behind canvas, outline and YAML. */
export interface EditorState extends Moment {
  readonly flowId: string;
  /** Why `typed` cannot be read; canvas, outline and forms show the last draft that could be and change nothing. */
  readonly faults: readonly TextFault[];
  /** What was typed into the YAML pane and cannot be read yet. */
  readonly typed: string | undefined;
  readonly errors: readonly Problem[];
  readonly warnings: readonly string[];
  /** Ids of nodes, and keys of notes. */
  readonly selection: readonly string[];
  /** The recorded run whose values are shown. */
  readonly runId: string | undefined;
  /** Of the draft that the service has. */
  readonly revision: number;
  readonly saved: "saved" | "saving" | "unsaved" | "conflict";
  readonly conflict: Conflict | undefined;
  /** The last saving failed, for another reason than a conflict. */
  readonly saveError: unknown;
  readonly isReadOnly: boolean;
  /** The last node that got another id: whatever shows it goes on showing it. */
  readonly renamed: { readonly from: string; readonly to: string } | undefined;
  readonly past: readonly Moment[];
  readonly future: readonly Moment[];
  /** Changes with the same `merge` that follow each other, such as the letters of a word, are undone at once. */
  change(operation: Operation, merge?: string): void;
  /** What somebody wrote into the YAML pane. */
  type(text: string): void;
  undo(): void;
  redo(): void;
  select(keys: readonly string[]): void;
  chooseRun(runId: string | undefined): void;
  /** Saves at once what has not been saved; over when the service has it, or `saved` says why not. */
  readonly save: () => Promise<void>;
  /** What only saving, validating and publishing know. */
  report(known: Partial<Reported>): void;
  /** Takes the draft as the service has it; what was here can be had back by undo. */
  take(flow: Flow, revision: number): void;
}

type Reported = Pick<
  EditorState,
  "errors" | "warnings" | "revision" | "saved" | "conflict" | "saveError" | "isReadOnly" | "save" | "renamed"
>;

interface OpenedDraft {
  readonly flowId: string;
  readonly flow: Flow;
  readonly revision: number;
  readonly isReadOnly?: boolean;
}

export type EditorStore = StoreApi<EditorState>;

const MAX_PAST = 200;

export function createEditor({ flowId, flow, revision, isReadOnly = false }: OpenedDraft): EditorStore {
  let lastMerge: string | undefined;
  return createStore<EditorState>()((set, get) => {
    const goTo = (moment: Moment, history: Pick<EditorState, "past" | "future">) => {
      const known = new Set(keysOf(moment.flow));
      const selection = get().selection.filter((id) => known.has(id));
      set({
        ...moment,
        ...history,
        typed: undefined,
        faults: [],
        saved: get().saved === "conflict" ? "conflict" : "unsaved",
        selection: selection.length === get().selection.length ? get().selection : selection,
      });
    };
    const remember = (moment: Moment, merge?: string) => {
      const { past, text, flow } = get();
      const isSameChange = merge !== undefined && merge === lastMerge && past.length > 0;
      lastMerge = merge;
      goTo(moment, {
        past: isSameChange ? past : [...past, { text, flow }].slice(-MAX_PAST),
        future: [],
      });
    };
    return {
      flowId,
      text: writeText(flow),
      flow,
      faults: [],
      typed: undefined,
      errors: [],
      warnings: [],
      selection: [],
      runId: undefined,
      revision,
      saved: "saved",
      conflict: undefined,
      saveError: undefined,
      isReadOnly,
      renamed: undefined,
      save: async () => {},
      past: [],
      future: [],
      change(operation, merge) {
        const { flow, text, isReadOnly, faults } = get();
        if (isReadOnly || faults.length > 0) return;
        const changed = operation(flow);
        if (changed !== flow) remember({ text, flow: changed }, merge);
      },
      type(text) {
        if (get().isReadOnly) return;
        const { flow, faults } = readText(text);
        if (flow === undefined) return set({ typed: text, faults });
        written.set(flow, { text, result: text });
        const { saved, flow: before } = get();
        remember({ text, flow }, "text");
        // Another comment is no other draft, and still a step that can be undone.
        if (saved === "saved" && isSame(flow, before)) set({ saved });
      },
      undo() {
        const { past, future, text, flow, isReadOnly } = get();
        const moment = past.at(-1);
        if (!moment || isReadOnly) return;
        lastMerge = undefined;
        goTo(moment, { past: past.slice(0, -1), future: [{ text, flow }, ...future] });
      },
      redo() {
        const { past, future, text, flow, isReadOnly } = get();
        const [moment, ...later] = future;
        if (!moment || isReadOnly) return;
        lastMerge = undefined;
        goTo(moment, { past: [...past, { text, flow }], future: later });
      },
      select: (selection) => {
        if (!isSame(selection, get().selection)) set({ selection });
      },
      chooseRun: (runId) => set({ runId }),
      report: (known) => set(known),
      take(flow, revision) {
        const { text } = get();
        lastMerge = undefined;
        remember({ text, flow });
        set({ revision, saved: "saved", conflict: undefined });
      },
    };
  });
}

/** The whole text: what was typed where it cannot be read yet, otherwise the last one with every change written into it. */
export function textOf(state: Pick<EditorState, "text" | "flow" | "typed">): string {
  return state.typed ?? rewritten(state.text, state.flow);
}

const written = new WeakMap<Flow, { text: string; result: string }>();

function rewritten(text: string, flow: Flow): string {
  const known = written.get(flow);
  if (known?.text === text) return known.result;
  const result = rewriteText(text, flow);
  written.set(flow, { text, result });
  return result;
}
