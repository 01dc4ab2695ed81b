import type { Flow } from "./flow.ts";
import type { EditorStore, Problem } from "./store.ts";

interface Checked {
  readonly problems: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  readonly warnings: readonly string[];
}

/** Asks the service's own validator a moment after each change; an answer about an older draft is thrown away. */
export function checkLive(
  store: EditorStore,
  check: (flow: Flow, signal: AbortSignal) => Promise<Checked>,
  delayMs = 350,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const run = async () => {
    const { flow } = store.getState();
    request = new AbortController();
    const { signal } = request;
    try {
      const { problems, warnings } = await check(flow, signal);
      if (!signal.aborted)
        store.getState().report({ errors: problems.map((problem) => placed(flow, problem)), warnings });
    } catch {
      // Saving tells what is wrong with the connection or the document.
    }
  };
  const schedule = (afterMs: number) => {
    clearTimeout(timer);
    request.abort();
    timer = setTimeout(() => void run(), afterMs);
  };
  const unsubscribe = store.subscribe((state, before) => {
    if (state.flow !== before.flow) schedule(delayMs);
  });
  schedule(0);
  return () => {
    clearTimeout(timer);
    request.abort();
    unsubscribe();
  };
}

function placed(flow: Flow, { path, message }: Checked["problems"][number]): Problem {
  const inGraph = path[0] === "graph" ? path.slice(1) : path;
  const nodeId = inGraph[0] === "nodes" ? flow.graph.nodes[Number(inGraph[1])]?.id : undefined;
  return { ...(nodeId !== undefined && { nodeId }), path: inGraph, message };
}
