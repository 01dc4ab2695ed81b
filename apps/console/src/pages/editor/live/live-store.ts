import { createStore, type StoreApi } from "zustand/vanilla";
import type { Evaluation } from "@millrace/client";
import { requestData } from "../../../api/request.ts";
import type { EditorStore } from "../store.ts";

/** What the draft makes of the recorded values of the chosen run. */
export interface LiveState {
  readonly evaluation: Evaluation | undefined;
  /** One for each node: of rounds the first that there is. */
  readonly nodes: ReadonlyMap<string, EvaluatedNode>;
  readonly isBusy: boolean;
  readonly error: unknown;
}

type LiveStore = StoreApi<LiveState>;
export type EvaluatedNode = Evaluation["nodes"][number];

/** From the last letter to the request; the service answers in less than as much again. */
const DEBOUNCE_MS = 80;
const NOTHING: LiveState = { evaluation: undefined, nodes: new Map(), isBusy: false, error: undefined };

const stores = new WeakMap<EditorStore, LiveStore>();

/** Belongs to an open editor: whatever changes there is evaluated again, once nobody types. */
export function liveOf(editor: EditorStore): LiveStore {
  const known = stores.get(editor);
  if (known) return known;
  const live = createStore<LiveState>()(() => NOTHING);
  stores.set(editor, live);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;
  const evaluate = async () => {
    const { flowId, flow, runId } = editor.getState();
    asked?.abort();
    if (runId === undefined) return live.setState(NOTHING);
    const own = new AbortController();
    asked = own;
    live.setState({ isBusy: true });
    try {
      const path = `/manage/flows/${encodeURIComponent(flowId)}/draft/evaluate`;
      const body = { runId, graph: flow.graph };
      const evaluation = await requestData<Evaluation>(path, { method: "POST", body, signal: own.signal });
      // What cannot run leaves the last values where they are.
      const nodes = evaluation.errors.length > 0 ? live.getState().nodes : byNode(evaluation.nodes);
      if (!own.signal.aborted) live.setState({ evaluation, nodes, isBusy: false, error: undefined });
    } catch (error) {
      if (!own.signal.aborted) live.setState({ isBusy: false, error });
    }
  };
  editor.subscribe((now, before) => {
    if (now.flow.graph === before.flow.graph && now.runId === before.runId) return;
    clearTimeout(timer);
    timer = setTimeout(() => void evaluate(), now.runId === before.runId ? DEBOUNCE_MS : 0);
  });
  if (editor.getState().runId !== undefined) void evaluate();
  return live;
}

function byNode(nodes: readonly EvaluatedNode[]): ReadonlyMap<string, EvaluatedNode> {
  const found = new Map<string, EvaluatedNode>();
  for (const node of nodes) if (!found.has(node.nodeId)) found.set(node.nodeId, node);
  return found;
}
