import { FairShare } from "../../domain/fair-share.ts";
import type { NodeChange } from "../../domain/node-changes.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findChangedRuns } from "../../storage/runs/find-changed-runs.ts";
import type { LiveNodes } from "./live-nodes.ts";
import { NodeReads } from "./node-reads.ts";
import { NodeWatch } from "./node-watch.ts";

export type WatchedRun = Pick<
  RunRecord,
  "organizationId" | "id" | "flowId" | "triggerSource" | "taskIdentifier" | "status" | "updatedAt"
>;

export interface RunListener {
  /** Every listener of a run gets the same object. */
  onUpdate(run: WatchedRun): void;
  /** Only those who have it are told of nodes, from the first one on. */
  readonly onNodes?: (changes: readonly NodeChange[]) => void;
}

export interface RunWatchOptions {
  readonly db: Db;
  /** Shared between organizations. */
  readonly maxListeners: number;
  /** What this process itself executes. */
  readonly live?: LiveNodes;
}

interface Watched {
  /** As it was last read. */
  run: WatchedRun;
  /** Each with what it was told last. */
  readonly listeners: Map<RunListener, WatchedRun>;
  /** Where somebody listens to nodes. */
  nodes?: NodeWatch | undefined;
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
  readonly #nodeReads: NodeReads;
  readonly #stale = new Set<Watched>();
  #allStale = false;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #restUntilMs = 0;

  constructor(options: RunWatchOptions) {
    this.#options = options;
    this.#listeners = new FairShare(options.maxListeners);
    this.#nodeReads = new NodeReads(options.db, options.live);
    options.live?.onNode((runId, change) => this.#watched.get(runId)?.nodes?.publish(change));
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
    if (!isSame(watched.run, run)) watched.run = unknownSince(run);
    this.#watched.set(run.id, watched);
    watched.listeners.set(listener, run);
    if (listener.onNodes) (watched.nodes ??= new NodeWatch()).join(listener.onNodes);
    this.#listeners.hold(run.organizationId);
    this.#stale.add(watched);
    this.#schedule();
    return () => {
      if (!watched.listeners.delete(listener)) return;
      this.#listeners.giveBack(run.organizationId);
      if (listener.onNodes) watched.nodes?.leave(listener.onNodes);
      if (!watched.nodes?.hasListeners) watched.nodes = undefined;
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
    const news = new Map(changed.map((run) => [run.id, run]));
    for (const watched of stale) {
      const tellChange = () => tellNews(watched, news);
      const { run, nodes } = watched;
      // Nodes are read after the statuses: whoever is told that a run has ended was told of all its nodes.
      if (nodes && this.#mustReadNodes(run, nodes, news.has(run.id)))
        this.#nodeReads.want({
          organizationId: run.organizationId,
          runId: run.id,
          nodes,
          onRead: tellChange,
        });
      else tellChange();
    }
    if (!all) return;
    const nowMs = performance.now();
    this.#restUntilMs = nowMs + REST_PER_READ * (nowMs - startedAtMs);
  }

  /** What this process executes itself it tells at once; what another one does is read, unless the run rests. */
  #mustReadNodes(run: WatchedRun, nodes: NodeWatch, hasChanged: boolean): boolean {
    if (nodes.isJoined || hasChanged) return true;
    return run.status === "EXECUTING" && this.#options.live?.of(run.id) === undefined;
  }
}

function tellNews(
  watched: Watched,
  news: ReadonlyMap<string, Pick<WatchedRun, "status" | "updatedAt">>,
): void {
  const changed = news.get(watched.run.id);
  if (changed) tell(watched, { ...watched.run, status: changed.status, updatedAt: changed.updatedAt });
}

function tell(watched: Watched, run: WatchedRun): void {
  watched.run = run;
  for (const [listener, told] of watched.listeners) {
    if (isSame(told, run)) continue;
    if (listener.onNodes && watched.nodes?.isJoining(listener.onNodes)) {
      // It came while the nodes were read, and hears of them first: in the next round, which has to read the run again.
      watched.run = unknownSince(run);
      continue;
    }
    watched.listeners.set(listener, run);
    listener.onUpdate(run);
  }
}

function unknownSince(run: WatchedRun): WatchedRun {
  return { ...run, updatedAt: new Date(0) };
}

function isSame(one: WatchedRun, other: WatchedRun): boolean {
  return one.status === other.status && one.updatedAt.getTime() === other.updatedAt.getTime();
}
