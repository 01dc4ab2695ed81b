import { setTimeout as sleep } from "node:timers/promises";
import { eventBody, hasOutput, type ResumeUrl } from "../../domain/events/event-body.ts";
import { type FeedItem, FeedQueue } from "../../domain/events/feed-queue.ts";
import { Pace } from "../../domain/events/pace.ts";
import { retryDelayMs } from "../../domain/events/retry-schedule.ts";
import { signatureHeaders } from "../../domain/events/signature.ts";
import type { StoredEvent } from "../../domain/events/stored-event.ts";
import { reasonOf } from "../../domain/error-reason.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { ClaimedFeed } from "../../storage/events/claim-feeds.ts";
import { disableEndpoint } from "../../storage/events/disable-endpoint.ts";
import { findRunOutput } from "../../storage/events/find-run-output.ts";
import { listDueDeliveries, readFeed } from "../../storage/events/read-feed.ts";
import { type DeliveryResult, recordDeliveries } from "../../storage/events/record-deliveries.ts";
import type { Db } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import type { EventSender, SendResult } from "../../upstream/event-sender.ts";
import { openSigningSecrets } from "./signing-secrets.ts";
import type { SendSlots } from "./send-slots.ts";

export interface DeliveryParts {
  readonly db: Db;
  readonly processId: string;
  readonly sender: EventSender;
  readonly slots: SendSlots;
  readonly secrets: SecretBox;
  readonly ids: IdMaker;
  readonly resumeUrl: ResumeUrl;
  readonly nowMs: () => number;
  readonly retryDelaysMs: readonly number[];
  /** An endpoint that failed for so long is disabled. */
  readonly disableAfterMs: number;
  readonly onAttempt?: (outcome: "delivered" | "retried" | "failed") => void;
}

const GONE = 410;
const RECORD_AFTER_MS = 100;
const MAX_UNRECORDED = 100;
const RENEW_MS = 2_000;
const LOOK_AGAIN_MS = 100;
// A request that is under way at shutdown may end; one that is cut off is sent again by somebody else.
const STOP_MS = 3_000;

/** Delivers to one endpoint for as long as this process holds its feed and there is something to deliver. */
export class FeedDelivery {
  readonly #parts: DeliveryParts;
  readonly #feed: ClaimedFeed;
  readonly #queue: FeedQueue;
  readonly #pace: Pace;
  readonly #underWay = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #settings: ClaimedFeed["settings"];
  #results: DeliveryResult[] = [];
  #recordedAtMs = performance.now();
  #lookedAtMs = -Infinity;
  #readBefore = false;
  #gone = false;
  #over = false;

  constructor(parts: DeliveryParts, feed: ClaimedFeed) {
    this.#parts = parts;
    this.#feed = feed;
    this.#settings = feed.settings;
    this.#queue = new FeedQueue(feed.position);
    this.#pace = new Pace(feed);
  }

  async run(stopping: AbortSignal): Promise<void> {
    try {
      while (!this.#over && !stopping.aborted) {
        await this.#refill();
        const item = this.#mayBegin() ? this.#queue.next() : undefined;
        if (item) this.#begin(item);
        else if (this.#isDone()) break;
        else await this.#waitForChange(stopping);
        if (this.#isTimeToRecord()) await this.#record();
      }
      const cutOff = setTimeout(() => this.#abort.abort(), STOP_MS);
      await Promise.all(this.#underWay);
      clearTimeout(cutOff);
      if (!this.#over) await this.#record();
    } finally {
      this.#abort.abort();
    }
  }

  #mayBegin(): boolean {
    const nowMs = performance.now();
    if (this.#gone) return false;
    return this.#underWay.size < this.#pace.maxInFlight(nowMs) && this.#pace.pauseMs(nowMs) === 0;
  }

  /** Nothing is under way, and the last look, after the last pause, found nothing more. */
  #isDone(): boolean {
    return (
      this.#mayBegin() && this.#underWay.size === 0 && this.#queue.waitsForLog && this.#queue.waitsForRetries
    );
  }

  /** Reads on where the queue has run dry, but does not ask the database again and again while it waits for answers. */
  async #refill(): Promise<void> {
    const { waitsForLog, waitsForRetries } = this.#queue;
    if ((!waitsForLog && !waitsForRetries) || !this.#mayBegin()) return;
    const lookedJustNow = performance.now() - this.#lookedAtMs < LOOK_AGAIN_MS;
    if (lookedJustNow && (this.#underWay.size > 0 || !waitsForLog)) return;
    const { db } = this.#parts;
    const { organizationId, endpointId } = this.#feed;
    if (waitsForRetries) {
      // What is not recorded yet would still be found as it was before.
      if (this.#results.length > 0) await this.#record();
      const due = await listDueDeliveries(db, organizationId, endpointId);
      const ended = new Set(this.#results.map(({ event }) => event.id));
      this.#queue.addDue(due.filter(({ event }) => !ended.has(event.id)));
    }
    if (waitsForLog) {
      const place = {
        organizationId,
        endpointId,
        position: this.#queue.readUpTo,
        patterns: this.#settings.patterns,
      };
      const { events, readUpTo } = await readFeed(db, place, { skipTried: !this.#readBefore });
      this.#queue.addLog(events, readUpTo);
      this.#readBefore = true;
    }
    this.#lookedAtMs = performance.now();
  }

  #begin(item: FeedItem): void {
    const attempt = this.#attempt(item).finally(() => this.#underWay.delete(attempt));
    this.#underWay.add(attempt);
  }

  async #attempt(item: FeedItem): Promise<void> {
    const giveBack = await this.#parts.slots.take(this.#feed.organizationId, this.#pace.swift);
    try {
      const { event } = item;
      const sent = await this.#send(event);
      // Cut off by this side: nobody knows what became of it, so it counts as not tried.
      if (this.#abort.signal.aborted) return;
      this.#pace.note(sent, performance.now());
      if (sent.status === GONE) this.#gone = true;
      const attempts = item.attempts + 1;
      const { retryAfterMs } = sent;
      const retryInMs =
        sent.delivered || sent.status === GONE
          ? undefined
          : retryDelayMs(attempts, {
              random: Math.random(),
              retryAfterMs,
              delaysMs: this.#parts.retryDelaysMs,
            });
      this.#parts.onAttempt?.(sent.delivered ? "delivered" : retryInMs === undefined ? "failed" : "retried");
      this.#results.push({ ...sent, event, attempts, retryInMs });
      this.#queue.ended(item);
    } finally {
      giveBack();
    }
  }

  async #send(event: StoredEvent): Promise<SendResult> {
    const { db, sender, secrets, resumeUrl, nowMs } = this.#parts;
    const { organizationId } = this.#feed;
    try {
      // Read when it is sent: kept with each event it would be stored twice, and a page of them could not be held.
      const output = hasOutput(event) ? await findRunOutput(db, organizationId, event.runId!) : undefined;
      const body = eventBody(organizationId, event, resumeUrl, output);
      const headers = signatureHeaders(openSigningSecrets(secrets, this.#feed, this.#settings), {
        id: event.id,
        timestampSeconds: Math.floor(nowMs() / 1000),
        body,
      });
      const { url } = this.#settings;
      return await sender.send({ organizationId, url, headers, body, signal: this.#abort.signal });
    } catch (error) {
      return { delivered: false, failure: `NotSent: ${reasonOf(error)}`, durationMs: 0, answer: "" };
    }
  }

  async #waitForChange(stopping: AbortSignal): Promise<void> {
    const pauseMs = this.#pace.pauseMs(performance.now());
    const timer = new AbortController();
    const waitMs = this.#results.length === 0 && pauseMs > 0 ? pauseMs : RECORD_AFTER_MS;
    const signal = AbortSignal.any([stopping, timer.signal]);
    await Promise.race([...this.#underWay, sleep(waitMs, undefined, { signal }).catch(() => {})]);
    timer.abort();
  }

  #isTimeToRecord(): boolean {
    const sinceMs = performance.now() - this.#recordedAtMs;
    if (this.#gone) return true;
    if (this.#results.length === 0) return sinceMs >= RENEW_MS;
    return this.#results.length >= MAX_UNRECORDED || sinceMs >= RECORD_AFTER_MS;
  }

  async #record(): Promise<void> {
    const { db, processId } = this.#parts;
    const { organizationId, endpointId } = this.#feed;
    const results = this.#results;
    this.#results = [];
    this.#recordedAtMs = performance.now();
    const standing = await recordDeliveries(db, {
      organizationId,
      endpointId,
      processId,
      position: this.#queue.triedUpTo,
      failuresInRow: this.#pace.failuresInRow,
      results,
    });
    if (!standing?.enabled) {
      this.#over = true;
      return;
    }
    this.#settings = standing.settings;
    if (this.#gone) await this.#disable("gone");
    else if (standing.failingForMs >= this.#parts.disableAfterMs) await this.#disable("failing");
  }

  async #disable(reason: "gone" | "failing"): Promise<void> {
    const { organizationId, endpointId } = this.#feed;
    const eventId = this.#parts.ids.make("evt");
    await disableEndpoint(this.#parts.db, { organizationId, endpointId, reason, eventId });
    this.#over = true;
  }
}
