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
    const run = new LiveRun(runId, this);
    this.#runs.set(runId, run);
    return run;
  }

  /** Undefined: another process may have the run. */
  of(runId: string): Iterable<NodeChange> | undefined {
    return this.#runs.get(runId)?.nodes();
  }

  tell(runId: string, change: NodeChange): void {
    this.#listener?.(runId, change);
  }

  end(run: LiveRun): void {
    if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
  }
}

/** One run, for as long as this process has it. */
export class LiveRun {
  readonly id: string;
  readonly #live: LiveNodes;
  /** What is not stored, in the order of time: only few ever look, so it is put in order for them alone. */
  #changes: NodeChange[] = [];

  constructor(id: string, live: LiveNodes) {
    this.id = id;
    this.#live = live;
  }

  /** The last of each node that is under way or not stored. */
  nodes(): Iterable<NodeChange> {
    return this.#latest().values();
  }

  publish(change: NodeChange): void {
    this.#changes.push(change);
    this.#live.tell(this.id, change);
  }

  /** They can be read from the database now; what has moved on since then cannot. */
  stored(nodes: readonly Pick<NodeChange, "nodeKey" | "status">[]): void {
    const latest = this.#latest();
    for (const { nodeKey, status } of nodes)
      if (latest.get(nodeKey)?.status === status) latest.delete(nodeKey);
    this.#changes = [...latest.values()];
  }

  end(): void {
    this.#live.end(this);
  }

  #latest(): Map<string, NodeChange> {
    return new Map(this.#changes.map((change) => [change.nodeKey, change]));
  }
}
