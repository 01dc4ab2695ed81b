import type { RunStreamEvent } from "@millrace/contract/runs";
import type { NodeChange } from "../domain/node-changes.ts";
import { isTerminal } from "../domain/run-status.ts";
import type { WatchedRun } from "../operations/runs/run-watch.ts";
import { type EventStream, eventText } from "./sse.ts";

/** Whoever comes back with this id has seen everything. */
export const COMPLETED_ID = "completed";

const NODES_AT_ONCE = 200;
/** A run executes 100,000 nodes, each of which begins, may pause, and ends. */
const MAX_WAITING = 300_000;

/** What one reader of a run is sent: messages with ids, of nodes every one, of the run the newest, and `completed` last. */
export class RunStream {
  readonly #stream: EventStream;
  #sent = 0;
  /** Lists that all readers of a run share, however slow each of them is. */
  readonly #nodes: (readonly NodeChange[])[] = [];
  #waiting = 0;
  #isSendingNodes = false;
  /** What is to be said of the run when no nodes wait any more. */
  #saidLater: (() => void) | undefined;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  begin(run: WatchedRun, nodes: readonly NodeChange[]): void {
    this.#stream.send(this.#text({ type: "connected", runId: run.id }) + this.#numbered(updateText(run)));
    this.nodes(nodes);
    this.#afterNodes(() => this.#endWith(run));
  }

  update(run: WatchedRun): void {
    this.#afterNodes(() => {
      this.#stream.sendNewest(this.#numbered(updateText(run)));
      this.#endWith(run);
    });
  }

  nodes(changes: readonly NodeChange[]): void {
    if (changes.length === 0) return;
    this.#waiting += changes.length;
    if (this.#waiting > MAX_WAITING) return this.fail("Stream was read too slowly");
    this.#nodes.push(changes);
    if (!this.#isSendingNodes) void this.#sendNodes();
  }

  fail(error: string): void {
    this.#nodes.length = 0;
    this.#stream.end(this.#text({ type: "error", error }));
  }

  async #sendNodes(): Promise<void> {
    this.#isSendingNodes = true;
    for (let changes = this.#nodes.shift(); changes; changes = this.#nodes.shift()) {
      for (let at = 0; at < changes.length; at += NODES_AT_ONCE) {
        await this.#stream.room();
        const some = changes.slice(at, at + NODES_AT_ONCE);
        this.#stream.send(some.map((change) => this.#text(nodeEvent(change))).join(""));
      }
      this.#waiting -= changes.length;
    }
    this.#isSendingNodes = false;
    this.#saidLater?.();
    this.#saidLater = undefined;
  }

  #afterNodes(say: () => void): void {
    if (this.#isSendingNodes) this.#saidLater = say;
    else say();
  }

  #endWith({ status }: WatchedRun): void {
    if (isTerminal(status))
      this.#stream.end(`id: ${COMPLETED_ID}\n${eventText({ type: "completed", status })}`);
  }

  #text(event: RunStreamEvent): string {
    return this.#numbered(eventText(event));
  }

  #numbered(text: string): string {
    this.#sent += 1;
    return `id: ${this.#sent}\n${text}`;
  }
}

function nodeEvent({ nodeKey, nodeId, type, status, startedAt, endedAt }: NodeChange): RunStreamEvent {
  const times = {
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { completedAt: new Date(endedAt).toISOString() }),
  };
  return { type: "node", data: { nodeKey, nodeId, type, status, ...times } };
}

const updateTexts = new WeakMap<WatchedRun, string>();

/** Written once for all streams of a run. */
function updateText(run: WatchedRun): string {
  const known = updateTexts.get(run);
  if (known !== undefined) return known;
  const { id, status, taskIdentifier, organizationId, flowId, triggerSource, updatedAt } = run;
  const payload = { organizationId, flowId, triggerSource };
  const data = { id, status, taskIdentifier, payload, updatedAt: updatedAt.toISOString() };
  const text = eventText({ type: "update", data } satisfies RunStreamEvent);
  updateTexts.set(run, text);
  return text;
}
