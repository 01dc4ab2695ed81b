import type { ChatEvent, SessionRef, TurnRef } from "../../domain/agent/chat.ts";
import { appendDeltas } from "../../storage/agent-chat/append-deltas.ts";
import type { Db } from "../../storage/pool.ts";
import { retryWrite } from "../../storage/retry.ts";

/** A turn of this process with the text that is not stored yet. */
export interface LiveTurn extends TurnRef {
  /** Number of the last stored event. */
  seq: number;
  pending: string;
  /** Its first text has gone out, so the next may wait a moment. */
  begun: boolean;
  /** Taken away, or not known to be stored: this process may not write it any more. */
  lost: boolean;
  onLost(): void;
}

// Shorter than the lease: whoever cannot write for longer is about to lose its turns.
const RETRY_FOR_MS = 6_000;

/**
 * Stores what was said and only then lets it out, so that whatever a client has seen can be replayed. All running
 * turns of the process share one statement at a time.
 */
export class EventWriter {
  readonly #db: Db;
  readonly #gatherMs: number;
  readonly #publish: (session: SessionRef, event: ChatEvent) => void;
  readonly #waiting = new Set<LiveTurn>();
  #flushing: { readonly turns: ReadonlySet<LiveTurn>; readonly done: Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #urgent = false;
  #flushedAtMs = 0;

  constructor(options: {
    readonly db: Db;
    readonly gatherMs: number;
    readonly publish: (session: SessionRef, event: ChatEvent) => void;
  }) {
    this.#db = options.db;
    this.#gatherMs = options.gatherMs;
    this.#publish = options.publish;
  }

  add(turn: LiveTurn, text: string): void {
    turn.pending += text;
    this.#waiting.add(turn);
    if (!turn.begun) this.#urgent = true;
    turn.begun = true;
    this.#schedule();
  }

  /** The text that is still unstored; it goes into the log with the end of the turn. */
  async takeRest(turn: LiveTurn): Promise<string> {
    // First: what is on its way is the last that goes without the end.
    this.#waiting.delete(turn);
    if (this.#flushing?.turns.has(turn)) await this.#flushing.done;
    return takeText(turn);
  }

  #schedule(): void {
    if (this.#flushing || this.#waiting.size === 0) return;
    const dueInMs = this.#urgent ? 0 : this.#flushedAtMs + this.#gatherMs - performance.now();
    if (dueInMs <= 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#begin();
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#schedule();
      }, dueInMs);
    }
  }

  #begin(): void {
    const turns = new Set(this.#waiting);
    this.#waiting.clear();
    this.#urgent = false;
    this.#flushedAtMs = performance.now();
    const done = this.#flush(turns).finally(() => {
      this.#flushing = undefined;
      this.#schedule();
    });
    this.#flushing = { turns, done };
  }

  async #flush(turns: ReadonlySet<LiveTurn>): Promise<void> {
    const deltas = [...turns].map((turn) => ({ turn, seq: turn.seq + 1, text: takeText(turn) }));
    let stored: boolean[];
    try {
      stored = await retryWrite(() => appendDeltas(this.#db, deltas), { forMs: RETRY_FOR_MS });
    } catch {
      // Perhaps it was stored: nobody knows, so nobody may go on. The end of the lease ends these turns.
      stored = deltas.map(() => false);
    }
    for (const [at, { turn, seq, text }] of deltas.entries()) {
      if (stored[at]) {
        turn.seq = seq;
        this.#publish(turn, { seq, turn: turn.number, type: "text-delta", text });
      } else {
        turn.lost = true;
        turn.onLost();
      }
    }
  }
}

function takeText(turn: LiveTurn): string {
  const text = turn.pending;
  turn.pending = "";
  return text;
}
