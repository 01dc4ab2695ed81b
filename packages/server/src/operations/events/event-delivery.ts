import { FairShare } from "../../domain/fair-share.ts";
import { type ClaimedFeed, claimFeeds, openFeeds, releaseFeed } from "../../storage/events/claim-feeds.ts";
import { placeEvents } from "../../storage/events/place-events.ts";
import { msUntilNextRetry } from "../../storage/events/read-feed.ts";
import { type DeliveryParts, FeedDelivery } from "./feed-delivery.ts";

const MAX_FEEDS = 256;
// Between these, a wake-up asks only for what changes often.
const WHOLE_LOOK_MS = 400;

/** The deliveries of one process: it takes feeds that have something to deliver, and gives them back when they are empty. */
export class EventDelivery {
  readonly #parts: DeliveryParts;
  readonly #onError: (error: unknown, feed: { organizationId: string; endpointId: string }) => void;
  readonly #running = new Set<Promise<void>>();
  readonly #places = new FairShare(MAX_FEEDS);
  readonly #stopping = new AbortController();
  #listening = false;
  #wholeLookAtMs = -Infinity;

  constructor(
    parts: DeliveryParts,
    onError: (error: unknown, feed: { organizationId: string; endpointId: string }) => void,
  ) {
    this.#parts = parts;
    this.#onError = onError;
  }

  /** Whether anyone listens at all. */
  get listening(): boolean {
    return this.#listening;
  }

  /** One look: what was committed gets its place, and feeds with work begin. How long until the next retry, if one waits. */
  async begin(): Promise<number | undefined> {
    const { db, processId } = this.#parts;
    const nowMs = performance.now();
    const whole = nowMs - this.#wholeLookAtMs >= WHOLE_LOOK_MS;
    if (whole) {
      this.#listening = await openFeeds(db);
      this.#wholeLookAtMs = nowMs;
    }
    await placeEvents(db);
    const { free } = this.#places;
    if (free > 0 && !this.#stopping.signal.aborted) {
      for (const feed of await claimFeeds(db, processId, free, this.#places.rooms())) {
        const running = this.#deliver(feed).finally(() => this.#running.delete(running));
        this.#running.add(running);
      }
    }
    return whole ? msUntilNextRetry(db) : undefined;
  }

  async #deliver(feed: ClaimedFeed): Promise<void> {
    const { db, processId } = this.#parts;
    this.#places.hold(feed.organizationId);
    try {
      await new FeedDelivery(this.#parts, feed).run(this.#stopping.signal);
    } catch (error) {
      this.#onError(error, feed);
    }
    await releaseFeed(db, processId, feed).catch((error: unknown) => this.#onError(error, feed));
    this.#places.giveBack(feed.organizationId);
  }

  /** Resolves when no feed is being delivered. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.idle();
  }
}
