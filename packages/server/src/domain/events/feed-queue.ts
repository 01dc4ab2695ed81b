import type { StoredEvent } from "./stored-event.ts";

export interface LoggedEvent extends StoredEvent {
  readonly position: number;
}

export interface DueDelivery {
  readonly event: StoredEvent;
  readonly attempts: number;
}

/** An event that is to be sent now. */
export interface FeedItem extends DueDelivery {
  /** Its place in the log, if this is its first attempt. */
  readonly position?: number;
}

/**
 * What one endpoint gets next: events of the log in order, and those whose retry is due, in turn. The first attempt of
 * an event begins only when that of the event before it in the same run has ended.
 */
export class FeedQueue {
  #fresh: LoggedEvent[] = [];
  #due: DueDelivery[] = [];
  #readUpTo: number;
  #retryIsNext = true;
  /** Positions of first attempts that have begun or still wait, with their number. */
  readonly #open = new Map<number, number>();
  readonly #runs = new Set<string>();
  readonly #sending = new Set<string>();

  constructor(position: number) {
    this.#readUpTo = position;
  }

  /** The last position that was read from the log. */
  get readUpTo(): number {
    return this.#readUpTo;
  }

  get waitsForLog(): boolean {
    return this.#fresh.length === 0;
  }

  get waitsForRetries(): boolean {
    return this.#due.length === 0;
  }

  /** Everything up to here has been tried. */
  get triedUpTo(): number {
    const first = Math.min(...this.#open.keys());
    return first === Infinity ? this.#readUpTo : first - 1;
  }

  addLog(events: readonly LoggedEvent[], readUpTo: number): void {
    for (const { position } of events) this.#open.set(position, (this.#open.get(position) ?? 0) + 1);
    this.#fresh.push(...events);
    this.#readUpTo = readUpTo;
  }

  addDue(deliveries: readonly DueDelivery[]): void {
    this.#due.push(...deliveries.filter(({ event }) => !this.#sending.has(event.id)));
  }

  next(): FeedItem | undefined {
    const item = this.#retryIsNext
      ? (this.#nextDue() ?? this.#nextFresh())
      : (this.#nextFresh() ?? this.#nextDue());
    if (!item) return undefined;
    this.#retryIsNext = item.position !== undefined;
    this.#sending.add(item.event.id);
    return item;
  }

  ended({ event, position }: FeedItem): void {
    this.#sending.delete(event.id);
    if (position === undefined) return;
    if (event.runId !== null) this.#runs.delete(event.runId);
    const left = this.#open.get(position)! - 1;
    if (left === 0) this.#open.delete(position);
    else this.#open.set(position, left);
  }

  #nextDue(): FeedItem | undefined {
    return this.#due.shift();
  }

  #nextFresh(): FeedItem | undefined {
    const at = this.#fresh.findIndex(({ runId }) => runId === null || !this.#runs.has(runId));
    const event = this.#fresh[at];
    if (!event) return undefined;
    this.#fresh.splice(at, 1);
    if (event.runId !== null) this.#runs.add(event.runId);
    return { event, attempts: 0, position: event.position };
  }
}
