import { type Flow, settingsOf } from "./flow.ts";
import { isSame } from "./rewrite.ts";
import type { EditorStore } from "./store.ts";

interface DraftService {
  /** The new revision. @throws what `isStale` knows where somebody else was faster. */
  save(flow: Flow, revision: number): Promise<number>;
  read(): Promise<{ readonly flow: Flow; readonly revision: number }>;
  isStale(error: unknown): boolean;
  /** Whether trying again may help. */
  isPassing(error: unknown): boolean;
}

const RETRY_MS = 5_000;

/**
 * Saves the draft a moment after each change, one request at a time. Where somebody else saved meanwhile nothing is
 * overwritten: the editor gets both and its reader chooses.
 */
export function keepSaved(store: EditorStore, service: DraftService, delayMs = 700) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  const save = async (): Promise<void> => {
    clearTimeout(timer);
    if (underWay) await underWay;
    const { saved, isReadOnly } = store.getState();
    if (saved !== "unsaved" || isReadOnly) return;
    underWay ??= saveOnce().finally(() => (underWay = undefined));
    await underWay;
  };

  const saveOnce = async (): Promise<void> => {
    const { flow, revision } = store.getState();
    store.getState().report({ saved: "saving", saveError: undefined });
    try {
      const next = await service.save(flow, revision);
      settle(flow, next);
    } catch (error) {
      if (service.isStale(error)) await meet(flow).catch((reading: unknown) => fail(reading));
      else fail(error);
    }
    if (store.getState().saved === "unsaved" && store.getState().saveError === undefined) schedule(delayMs);
  };

  const settle = (flow: Flow, revision: number) => {
    const isCurrent = store.getState().flow === flow;
    store.getState().report({ revision, saved: isCurrent ? "saved" : "unsaved", conflict: undefined });
  };

  /** What is there now may be what was meant: two tabs that undo alike, or an answer that was lost. */
  const meet = async (mine: Flow): Promise<void> => {
    const theirs = await service.read();
    if (isSame(inOrder(theirs.flow), inOrder(mine))) settle(mine, theirs.revision);
    else store.getState().report({ saved: "conflict", conflict: theirs });
  };

  const fail = (error: unknown) => {
    store.getState().report({ saved: "unsaved", saveError: error });
    if (service.isPassing(error)) schedule(RETRY_MS);
  };

  const schedule = (afterMs: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void save(), afterMs);
  };

  const unsubscribe = store.subscribe((state, before) => {
    if (state.saved === "unsaved" && (state.flow !== before.flow || before.saved === "conflict"))
      schedule(delayMs);
  });
  return {
    /** Saves at once what has not been saved. */
    flush: save,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

function inOrder(flow: Flow): unknown {
  return [flow.graph, Object.entries(settingsOf(flow)).toSorted(([a], [b]) => (a < b ? -1 : 1))];
}
