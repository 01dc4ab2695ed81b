import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { FairShare } from "../../domain/fair-share.ts";
import { lowestIdAt } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { RunFeed, type RunState } from "../../domain/run-feed.ts";
import { isTerminal } from "../../domain/run-status.ts";
import type { Db } from "../../storage/pool.ts";
import { findRunStates, listOpenRuns, listRunStates } from "../../storage/runs/list-run-states.ts";

export interface OrganizationWatchOptions {
  readonly db: Db;
  /** Of the database, in milliseconds. */
  readonly nowMs: () => number;
  /** Shared between organizations. */
  readonly maxReaders: number;
  readonly tickMs?: number;
}

/** Called when there is something new in the feed. */
type Reader = () => void;

interface Watched {
  readonly feed: RunFeed;
  readonly readers: Set<Reader>;
  /** Runs that this process has changed. */
  readonly changed: Set<string>;
  /** What was told last, of the runs that were told last. */
  readonly told: LRUCache<string, string>;
  /** Runs that have not ended, the one told last at the end. */
  readonly open: Set<string>;
  /** Where new runs begin that were not looked at. */
  sinceId: string;
  /** When the last reader went away. */
  leftAtMs: number | undefined;
}

const TICK_MS = 250;
const MAX_KEPT = 10_000;
const MAX_OPEN = 2_000;
const MAX_AT_ONCE = 2_000;
/** A run is made some time before others can see it. */
const COMMIT_SLACK_MS = 5_000;
/** For those who come back. */
const KEPT_WITHOUT_READERS_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * One per process, for the live streams of whole organizations. What this process changes is gathered for a quarter of a second
 * and read by one statement, however many read the stream; what others change is looked for once a second.
 * Nothing happens where nobody listens.
 */
export class OrganizationWatch {
  readonly #options: OrganizationWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #readers: FairShare;
  #timer: NodeJS.Timeout | undefined;
  #isTicking = false;

  constructor(options: OrganizationWatchOptions) {
    this.#options = options;
    this.#readers = new FairShare(options.maxReaders);
  }

  /** `feed` is read by the caller, at its own pace, from any number on. */
  async join(organizationId: string, reader: Reader): Promise<{ feed: RunFeed; leave: () => void }> {
    if (this.#readers.roomFor(organizationId) === 0)
      throw new Refusal("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#readers.hold(organizationId);
    try {
      const watched = this.#watched.get(organizationId) ?? (await this.#begin(organizationId));
      watched.readers.add(reader);
      watched.leftAtMs = undefined;
      const leave = () => {
        if (!watched.readers.delete(reader)) return;
        this.#readers.giveBack(organizationId);
        if (watched.readers.size === 0) watched.leftAtMs = performance.now();
      };
      return { feed: watched.feed, leave };
    } catch (error) {
      this.#readers.giveBack(organizationId);
      throw error;
    }
  }

  /** Called after the commit, by whoever changed these runs in this process. */
  publish(changes: readonly { readonly organizationId: string; readonly id: string }[]): void {
    if (this.#watched.size === 0) return;
    for (const { organizationId, id } of changes) this.#watched.get(organizationId)?.changed.add(id);
    this.#schedule();
  }

  /** What other processes did; a duty of its own. */
  async poll(): Promise<void> {
    for (const [organizationId, watched] of this.#watched) {
      const { leftAtMs } = watched;
      if (leftAtMs !== undefined && performance.now() - leftAtMs > KEPT_WITHOUT_READERS_MS) {
        this.#watched.delete(organizationId);
        continue;
      }
      const { sinceId } = watched;
      const looksSinceMs = this.#options.nowMs() - COMMIT_SLACK_MS;
      const { rows, isAll } = await listRunStates(
        this.#options.db,
        organizationId,
        [...watched.open],
        sinceId,
      );
      const lastNew = rows.findLast(({ id }) => id >= sinceId)?.id;
      if (isAll) watched.sinceId = lowestIdAt("run", looksSinceMs);
      else if (lastNew !== undefined) watched.sinceId = lastNew;
      tell(watched, rows);
    }
  }

  async #begin(organizationId: string): Promise<Watched> {
    const watched: Watched = {
      feed: new RunFeed(randomBytes(9).toString("base64url"), MAX_KEPT),
      readers: new Set(),
      changed: new Set(),
      told: new LRUCache({ max: MAX_KEPT }),
      open: new Set(),
      sinceId: lowestIdAt("run", this.#options.nowMs() - COMMIT_SLACK_MS),
      leftAtMs: performance.now(),
    };
    this.#watched.set(organizationId, watched);
    try {
      for (const run of await listOpenRuns(this.#options.db, organizationId)) note(watched, run);
    } catch (error) {
      this.#watched.delete(organizationId);
      throw error;
    }
    return watched;
  }

  #schedule(): void {
    if (this.#timer || this.#isTicking) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#isTicking = true;
      // What could not be read now is looked for by the poll.
      void this.#tick()
        .catch(() => {})
        .finally(() => {
          this.#isTicking = false;
          if (Iterator.from(this.#watched.values()).some(({ changed }) => changed.size > 0)) this.#schedule();
        });
    }, this.#options.tickMs ?? TICK_MS).unref();
  }

  async #tick(): Promise<void> {
    for (const [organizationId, watched] of this.#watched) {
      if (watched.changed.size === 0) continue;
      const ids = Iterator.from(watched.changed).take(MAX_AT_ONCE).toArray();
      for (const id of ids) watched.changed.delete(id);
      tell(watched, await findRunStates(this.#options.db, organizationId, ids));
    }
  }
}

function tell(watched: Watched, runs: readonly RunState[]): void {
  const news = runs.filter((run) => note(watched, run));
  if (news.length === 0) return;
  watched.feed.add(news);
  for (const reader of watched.readers) reader();
}

/** False where it is known already, or older than what is known. */
function note({ told, open }: Watched, { id, status, updatedAt }: RunState): boolean {
  const state = `${updatedAt.toISOString()} ${status}`;
  const last = told.get(id);
  if (last !== undefined && last >= state) return false;
  told.set(id, state);
  open.delete(id);
  if (isTerminal(status)) return true;
  open.add(id);
  if (open.size > MAX_OPEN) open.delete(open.values().next().value!);
  return true;
}
