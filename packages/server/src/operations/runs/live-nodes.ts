import type { NodeChange } from "../../domain/node-changes.ts";

type Listener = (runId: string, change: NodeChange) => void;

/** What the runs of this process do: whoever watches hears of it at once, and finds here what is not stored yet. */
export class LiveNodes {
  readonly #runs = new Map<string, LiveRun>();
  #listener: Listener | undefined;

  onNode(listener: Listener): void {
    this.#listener = listener;
  }

  begin(runId: string): LiveRun {
    const run = new LiveRun(
      (change) => this.#listener?.(runId, change),
      () => {
        if (this.#runs.get(runId) === run) this.#runs.delete(runId);
      },
    );
    this.#runs.set(runId, run);
    return run;
  }

  /** Undefined: another process may have the run. */
  of(runId: string): Iterable<NodeChange> | undefined {
    return this.#runs.get(runId)?.nodes();
  }
}

/** One run, for as long as this process has it. */
export class LiveRun {
  /** The last of each node that is under way or not stored. */
  readonly #nodes = new Map<string, NodeChange>();
  readonly #tell: (change: NodeChange) => void;
  readonly #onEnd: () => void;

  constructor(tell: (change: NodeChange) => void, onEnd: () => void) {
    this.#tell = tell;
    this.#onEnd = onEnd;
  }

  nodes(): Iterable<NodeChange> {
    return this.#nodes.values();
  }

  publish(change: NodeChange): void {
    this.#nodes.set(change.nodeKey, change);
    this.#tell(change);
  }

  /** They can be read from the database now; what has moved on since then cannot. */
  stored(nodes: readonly Pick<NodeChange, "nodeKey" | "status">[]): void {
    for (const { nodeKey, status } of nodes)
      if (this.#nodes.get(nodeKey)?.status === status) this.#nodes.delete(nodeKey);
  }

  end(): void {
    this.#onEnd();
  }
}
