import type { RunStreamEvent } from "@millrace/contract/runs";
import { FairShare } from "../../domain/fair-share.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findChangedRuns } from "../../storage/runs/find-changed-runs.ts";
import { listEndedNodes } from "../../storage/runs/list-ended-nodes.ts";

export type NodeChange = Extract<RunStreamEvent, { type: "node" }>["data"];
export type WatchedRun = Pick<
  RunRecord,
  "organizationId" | "id" | "flowId" | "triggerSource" | "taskIdentifier" | "status" | "updatedAt"
>;

export interface RunListener {
  /** Every listener of a run gets the same object. */
  onUpdate(run: WatchedRun): void;
  /** Only those who have it are told of nodes. */
  readonly onNode?: (change: NodeChange) => void;
}

export interface RunWatchOptions {
  readonly db: Db;
  /** Shared between organizations. */
  readonly maxListeners: number;
}

interface Watched {
  /** As it was last read. */
  run: WatchedRun;
  /** Each with what it was told last. */
  readonly listeners: Map<RunListener, WatchedRun>;
  /** Keys of ended nodes that were told; present while somebody listens to nodes. */
  endedNodes?: Set<string>;
}

// Changes of a few milliseconds are read together.
const DEBOUNCE_MS = 5;
// Hints of busy neighbours never make this process read all runs more than a tenth of the time.
const REST_PER_READ = 9;
const RETRY_AFTER_SECONDS = 5;

/**
 * One per process, for all streams: whoever changes a run says so, and one query answers for all runs that
 * were named; a hint from another process, and a poll each second behind it, asks for all watched runs at once.
 */
export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #listeners: FairShare;
  readonly #stale = new Set<Watched>();
  #allStale = false;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #restUntilMs = 0;

  constructor(options: RunWatchOptions) {
    this.#options = options;
    this.#listeners = new FairShare(options.maxListeners);
  }

  get listeners(): number {
    return this.#listeners.used;
  }

  /** For clients; flow tools that wait for a run are bounded by their chats and never refused. */
  refuseWhenFull(organizationId: string): void {
    if (this.#listeners.roomFor(organizationId) > 0) return;
    throw new Refusal("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** `run` is what the listener knows; what happened since it was read is told in the next round. */
  subscribe(run: WatchedRun, listener: RunListener): () => void {
    const watched: Watched = this.#watched.get(run.id) ?? { run, listeners: new Map() };
    // Whose state is the newer one only the next round can tell, so it has to read the run in any case.
    if (!isSame(watched.run, run)) watched.run = { ...run, updatedAt: new Date(0) };
    this.#watched.set(run.id, watched);
    watched.listeners.set(listener, run);
    if (listener.onNode) watched.endedNodes ??= new Set();
    this.#listeners.hold(run.organizationId);
    this.#stale.add(watched);
    this.#schedule();
    return () => {
      if (!watched.listeners.delete(listener)) return;
      this.#listeners.giveBack(run.organizationId);
      if (watched.listeners.size > 0) return;
      this.#watched.delete(run.id);
      this.#stale.delete(watched);
    };
  }

  /** Called after the commit, by whoever changed these runs in this process. */
  publish(changes: readonly { readonly organizationId: string; readonly id: string }[]): void {
    if (this.#watched.size === 0) return;
    for (const { id } of changes) {
      const watched = this.#watched.get(id);
      if (watched) this.#stale.add(watched);
    }
    this.#schedule();
  }

  /** Called when a node of a run in this process moves. */
  publishNode({ id }: { readonly id: string }, { nodeKey, nodeId, type, status }: NodeChange): void {
    const watched = this.#watched.get(id);
    if (!watched?.endedNodes) return;
    if (status === "COMPLETED" || status === "FAILED") watched.endedNodes.add(nodeKey);
    tellNode(watched, { nodeKey, nodeId, type, status });
  }

  /** Another process has changed something. */
  wake(): void {
    if (this.#watched.size === 0) return;
    this.#allStale = true;
    this.#schedule();
  }

  /** The backup for everything that was not said; a duty of its own. */
  async poll(): Promise<void> {
    await this.#reading?.catch(() => {});
    this.#allStale = true;
    // Only hints have to rest: after one slow answer of the database a poll that did so too would come too late.
    this.#restUntilMs = 0;
    await this.#read();
  }

  #schedule(): void {
    if (this.#timer || this.#reading || (this.#stale.size === 0 && !this.#allStale)) return;
    const restMs = this.#stale.size > 0 ? 0 : this.#restUntilMs - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        // What failed here the poll reads again, and complains if it cannot.
        this.#read().catch(() => {});
      },
      Math.max(DEBOUNCE_MS, restMs),
    );
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    this.#reading ??= this.#readStale().finally(() => {
      this.#reading = undefined;
      this.#schedule();
    });
    await this.#reading;
  }

  async #readStale(): Promise<void> {
    const all = this.#allStale && performance.now() >= this.#restUntilMs;
    const stale = all ? [...this.#watched.values()] : [...this.#stale];
    this.#stale.clear();
    if (all) this.#allStale = false;
    if (stale.length === 0) return;
    const startedAtMs = performance.now();
    const changed = await findChangedRuns(
      this.#options.db,
      stale.map(({ run }) => run),
    );
    // Nodes are read after the statuses: whoever is told that a run has ended was told of all its nodes.
    await this.#readNodes(stale.filter(({ endedNodes }) => endedNodes));
    if (all) {
      const nowMs = performance.now();
      this.#restUntilMs = nowMs + REST_PER_READ * (nowMs - startedAtMs);
    }
    for (const { id, status, updatedAt } of changed) {
      const watched = this.#watched.get(id);
      if (watched) tell(watched, { ...watched.run, status, updatedAt });
    }
  }

  async #readNodes(watched: readonly Watched[]): Promise<void> {
    if (watched.length === 0) return;
    const known = watched.flatMap(({ run, endedNodes }) => [...endedNodes!].map((key) => `${run.id} ${key}`));
    const ended = await listEndedNodes(
      this.#options.db,
      watched.map(({ run }) => run),
      known,
    );
    for (const { runId, ...change } of ended) this.publishNode({ id: runId }, change);
  }
}

function tell(watched: Watched, run: WatchedRun): void {
  watched.run = run;
  for (const [listener, told] of watched.listeners) {
    if (isSame(told, run)) continue;
    watched.listeners.set(listener, run);
    listener.onUpdate(run);
  }
}

function tellNode(watched: Watched, change: NodeChange): void {
  for (const listener of watched.listeners.keys()) listener.onNode?.(change);
}

function isSame(one: WatchedRun, other: WatchedRun): boolean {
  return one.status === other.status && one.updatedAt.getTime() === other.updatedAt.getTime();
}
