import type { ChatEvent, SessionRef } from "../../domain/agent/chat.ts";

export interface SubscriptionOptions {
  readonly session: SessionRef;
  readonly after: number;
  readonly behind: boolean;
  /** A page of stored events after a cursor. */
  readonly read: (after: number) => Promise<ChatEvent[]>;
  readonly onClose: () => void;
}

const MAX_BUFFERED = 64;

/**
 * The events of a session after a cursor, in order and without a gap: first what is stored, then what comes. A reader
 * that is slow is not waited for and costs no memory: what does not fit is read from the log when its turn comes.
 */
export class Subscription implements AsyncIterableIterator<ChatEvent> {
  readonly session: SessionRef;
  readonly #options: SubscriptionOptions;
  #buffer: ChatEvent[] = [];
  #after: number;
  #behind: boolean;
  #reading = false;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(options: SubscriptionOptions) {
    this.session = options.session;
    this.#options = options;
    this.#after = options.after;
    this.#behind = options.behind;
  }

  /** The last event that was taken in. */
  get after(): number {
    return this.#after;
  }

  /** Has handed out everything and has nothing to read: only then is it worth looking for news. */
  get waiting(): boolean {
    return !this.#closed && !this.#behind && !this.#reading && this.#buffer.length === 0;
  }

  /** News of this process: taken where it is the next event, otherwise a sign that the log holds more. */
  offer(event: ChatEvent): void {
    if (this.#closed || event.seq <= this.#after) return;
    const next =
      event.seq === this.#after + 1 && !this.#behind && !this.#reading && this.#buffer.length < MAX_BUFFERED;
    if (next) this.accept(event);
    else {
      this.#behind = true;
      this.#wakeUp();
    }
  }

  /** An event from the log, where numbers may be missing because old deltas are deleted. */
  accept(event: ChatEvent): void {
    if (this.#closed || event.seq <= this.#after) return;
    this.#after = event.seq;
    this.#buffer.push(event);
    this.#wakeUp();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.onClose();
    this.#wakeUp();
  }

  async next(): Promise<IteratorResult<ChatEvent, undefined>> {
    for (;;) {
      const event = this.#buffer.shift();
      if (event) return { done: false, value: event };
      if (this.#closed) return { done: true, value: undefined };
      if (this.#behind) await this.#catchUp();
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  return(): Promise<IteratorResult<ChatEvent, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #catchUp(): Promise<void> {
    this.#behind = false;
    this.#reading = true;
    try {
      const events = await this.#options.read(this.#after);
      for (const event of events) this.accept(event);
      // There may be another page, and whoever publishes while we read says so as well.
      if (events.length > 0) this.#behind = true;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#reading = false;
    }
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
