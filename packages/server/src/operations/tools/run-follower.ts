import { FairShare } from "../../domain/fair-share.ts";
import { type NodeChange, tellInOrder } from "../../domain/node-changes.ts";
import type { Principal } from "../../domain/principal.ts";
import { isTerminal } from "../../domain/run-status.ts";
import type { Db } from "../../storage/pool.ts";
import { findApprovals, type PendingApproval } from "../../storage/runs/find-approvals.ts";

export type { PendingApproval };
import { findRun } from "../../storage/runs/find-run.ts";
import { mayAnswer } from "../runs/check-answer.ts";
import { readNodeChanges } from "../runs/read-node-changes.ts";
import type { RunWatch, WatchedRun } from "../runs/run-watch.ts";

export interface RunFollowerOptions {
  readonly db: Db;
  readonly watch: RunWatch;
  /** Callers of this process that wait at once, shared between organizations. */
  readonly maxFollowing: number;
}

export interface Following {
  readonly principal: Principal;
  readonly organizationId: string;
  readonly runId: string;
  readonly waitMs: number;
  /** Aborted where the caller is gone. */
  readonly signal: AbortSignal;
  /** Approvals that were asked about already, by node key. */
  readonly asked?: ReadonlySet<string>;
  readonly onNodes?: ((changes: readonly NodeChange[]) => void) | undefined;
}

/** What was waited for: the end, something that the caller can answer, or nothing in time. */
export type Followed =
  | { readonly kind: "ended" }
  | { readonly kind: "asks"; readonly approval: PendingApproval }
  | { readonly kind: "late" };

/** Waits with callers of tools until their run has ended or asks them something. They hear of it as streams do. */
export class RunFollower {
  readonly #options: RunFollowerOptions;
  readonly #places: FairShare;
  /** What ends the waiting of each caller. A signal of all would remember every caller there ever was. */
  readonly #waiting = new Set<AbortController>();
  #isClosed = false;

  constructor(options: RunFollowerOptions) {
    this.#options = options;
    this.#places = new FairShare(options.maxFollowing);
  }

  get following(): number {
    return this.#places.used;
  }

  /** Where the organization has no place left nobody waits: it is late at once. */
  async follow(following: Following): Promise<Followed> {
    const { organizationId, waitMs, signal } = following;
    if (!this.#places.take(organizationId)) return { kind: "late" };
    const end = new AbortController();
    const give = () => end.abort();
    const timeout = setTimeout(give, waitMs);
    signal.addEventListener("abort", give, { once: true });
    this.#waiting.add(end);
    if (signal.aborted || this.#isClosed) give();
    try {
      return await this.#until(following, end.signal);
    } finally {
      clearTimeout(timeout);
      signal.removeEventListener("abort", give);
      this.#waiting.delete(end);
      this.#places.giveBack(organizationId);
    }
  }

  /** Whoever waits is answered as if the time were over. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#waiting) end.abort();
  }

  async #until(following: Following, end: AbortSignal): Promise<Followed> {
    const { db, watch } = this.#options;
    const { organizationId, runId, onNodes } = following;
    const first = await findRun(db, [organizationId], runId);
    if (!first) return { kind: "late" };
    if (isTerminal(first.status) && onNodes) await this.#tellAll(first, onNodes);
    let run: WatchedRun = first;
    let changed = Promise.withResolvers<void>();
    const onUpdate = (now: WatchedRun) => {
      run = now;
      changed.resolve();
    };
    const onEnd = () => changed.resolve();
    end.addEventListener("abort", onEnd, { once: true });
    const stop = isTerminal(first.status)
      ? () => {}
      : watch.subscribe(first, { onUpdate, ...(onNodes && { onNodes }) });
    try {
      for (;;) {
        if (isTerminal(run.status)) return { kind: "ended" };
        const approval = run.status === "PAUSED" ? await this.#question(following) : undefined;
        if (approval) return { kind: "asks", approval };
        if (end.aborted) return { kind: "late" };
        await changed.promise;
        changed = Promise.withResolvers();
      }
    } finally {
      end.removeEventListener("abort", onEnd);
      stop();
    }
  }

  /** Of a run that ended before anybody could listen to it. */
  async #tellAll(run: WatchedRun, onNodes: NonNullable<Following["onNodes"]>): Promise<void> {
    const stored = await readNodeChanges(this.#options.db, [{ ...run, known: [] }]);
    onNodes(tellInOrder(new Map(), { stored: stored.get(run.id) ?? [] }));
  }

  /** The oldest that the caller may answer and was not asked yet. */
  async #question({
    principal,
    organizationId,
    runId,
    asked,
  }: Following): Promise<PendingApproval | undefined> {
    const pending = await findApprovals(this.#options.db, organizationId, runId);
    return pending.find(
      ({ nodeKey, details }) =>
        asked?.has(nodeKey) !== true && mayAnswer(principal, organizationId, details?.assignees),
    );
  }
}
