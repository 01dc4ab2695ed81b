import type { ChatEvent, SessionRef } from "../../domain/agent/chat.ts";
import { FairShare } from "../../domain/fair-share.ts";
import { Refusal } from "../../domain/refusal.ts";
import { readEvents } from "../../storage/agent-chat/read-events.ts";
import type { Db } from "../../storage/pool.ts";
import { Subscription } from "./subscription.ts";

const PAGE = 200;
const RETRY_AFTER_SECONDS = 5;

export interface SessionFeedsOptions {
  readonly db: Db;
  readonly maxFollowers: number;
  readonly runsHere: (sessionId: string) => boolean;
}

/**
 * Who follows which session in this process. Turns that run here push their events; for sessions that run elsewhere
 * one query a moment asks for all of them.
 */
export class SessionFeeds {
  readonly #db: Db;
  readonly #runsHere: (sessionId: string) => boolean;
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  readonly #followers: FairShare;
  #closed = false;

  constructor({ db, maxFollowers, runsHere }: SessionFeedsOptions) {
    this.#db = db;
    this.#runsHere = runsHere;
    this.#followers = new FairShare(maxFollowers);
  }

  /** For clients, before anything is done for them; flows are bounded by their runs and never refused. */
  refuseWhenFull(organizationId: string): void {
    if (this.#followers.roomFor(organizationId) > 0) return;
    throw new Refusal("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** `behind`: there may already be events after the cursor. */
  subscribe(session: SessionRef, after: number, { behind }: { behind: boolean }): Subscription {
    const subscription = new Subscription({
      session,
      after,
      behind,
      read: async (cursor) => (await readEvents(this.#db, [{ ...session, after: cursor }], PAGE))[0]!,
      onClose: () => this.#remove(subscription),
    });
    this.#followers.hold(session.organizationId);
    const others = this.#subscriptions.get(session.sessionId);
    if (others) others.add(subscription);
    else this.#subscriptions.set(session.sessionId, new Set([subscription]));
    if (this.#closed) subscription.close();
    return subscription;
  }

  publish({ sessionId }: SessionRef, event: ChatEvent): void {
    for (const subscription of this.#subscriptions.get(sessionId) ?? []) subscription.offer(event);
  }

  /** One look at the logs that other processes write. */
  async poll(): Promise<void> {
    const elsewhere = [...this.#subscriptions.entries()]
      .filter(([sessionId]) => !this.#runsHere(sessionId))
      .flatMap(([, subscriptions]) => [...subscriptions])
      .filter((subscription) => subscription.waiting);
    if (elsewhere.length === 0) return;
    const cursors = elsewhere.map(({ session, after }) => ({ ...session, after }));
    const found = await readEvents(this.#db, cursors, PAGE);
    for (const [at, events] of found.entries()) {
      for (const event of events) elsewhere[at]!.accept(event);
    }
  }

  /** Ends every stream; clients come back with their cursor, to another process. */
  close(): void {
    this.#closed = true;
    for (const subscriptions of this.#subscriptions.values()) {
      for (const subscription of subscriptions) subscription.close();
    }
  }

  #remove(subscription: Subscription): void {
    const { organizationId, sessionId } = subscription.session;
    this.#followers.giveBack(organizationId);
    const others = this.#subscriptions.get(sessionId);
    others?.delete(subscription);
    if (others?.size === 0) this.#subscriptions.delete(sessionId);
  }
}
