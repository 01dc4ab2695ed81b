import type { ChatEvent, SessionRef, ToolEvent, TurnRef } from "../../domain/agent/chat.ts";
import { appendDeltas } from "../../storage/agent-chat/append-deltas.ts";
import type { Db } from "../../storage/pool.ts";
import { retryWrite } from "../../storage/retry.ts";

/** A turn of this process with the text that is not stored yet. */
export interface LiveTurn extends TurnRef {
  /** Number of the last stored event. */
  seq: number;
  pending: (string | ToolEvent)[];
  /** Its first text has gone out, so the next may wait a moment. */
  begun: boolean;
  /** Taken away, or not known to be stored: this process may not write it any more. */
  lost: boolean;
  onLost(): void;
}

// Shorter than the lease: whoever cannot write for longer is about to lose its turns.
const RETRY_FOR_MS = 6_000;

/**
 * Stores what was said and only then lets it out, so that whatever a client has seen can be replayed. First words go
 * at once; of the rest, all running turns of the process share one statement at a time.
 */
export class EventWriter {
  readonly #db: Db;
  readonly #gatherMs: number;
  readonly #publish: (session: SessionRef, event: ChatEvent) => void;
  readonly #first = new Set<LiveTurn>();
  readonly #waiting = new Set<LiveTurn>();
  /** A turn's pieces are numbered one after the other, so no turn is in two statements at once. */
  readonly #underWay = new Map<LiveTurn, Promise<void>>();
  #firstFlush: Promise<void> | undefined;
  #gatheredFlush: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
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
    if (turn.lost) return;
    const last = turn.pending.length - 1;
    if (typeof turn.pending[last] === "string") turn.pending[last] += text;
    else turn.pending.push(text);
    this.#want(turn);
  }

  /** Behind the text that came before it. */
  addTool(turn: LiveTurn, event: ToolEvent): void {
    if (turn.lost) return;
    turn.pending.push(event);
    this.#want(turn);
  }

  #want(turn: LiveTurn): void {
    if (!turn.begun) {
      turn.begun = true;
      this.#first.add(turn);
      this.#flushFirst();
    } else if (!this.#first.has(turn)) {
      this.#waiting.add(turn);
      this.#schedule();
    }
  }

  /** The text that is still unstored; it goes into the log with the end of the turn. */
  async takeRest(turn: LiveTurn): Promise<string> {
    // First: what is on its way is the last that goes without the end.
    this.#first.delete(turn);
    this.#waiting.delete(turn);
    await this.#underWay.get(turn);
    const rest = turn.pending.at(-1);
    const text = typeof rest === "string" ? rest : "";
    if (text !== "") turn.pending.pop();
    // Tools are events of their own; only text goes with the end.
    if (turn.pending.length > 0 && !turn.lost) await this.#flush([turn]);
    return text;
  }

  #flushFirst(): void {
    if (this.#firstFlush || this.#first.size === 0) return;
    const turns = [...this.#first];
    this.#first.clear();
    this.#firstFlush = this.#flush(turns).then(() => {
      this.#firstFlush = undefined;
      this.#flushFirst();
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#gatheredFlush || this.#timer || this.#waiting.size === 0) return;
    const dueInMs = this.#flushedAtMs + this.#gatherMs - performance.now();
    if (dueInMs <= 0) this.#flushGathered();
    else {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#flushGathered();
      }, dueInMs);
    }
  }

  #flushGathered(): void {
    const turns = [...this.#waiting].filter((turn) => !this.#underWay.has(turn));
    if (turns.length === 0) return;
    for (const turn of turns) this.#waiting.delete(turn);
    this.#flushedAtMs = performance.now();
    this.#gatheredFlush = this.#flush(turns).then(() => {
      this.#gatheredFlush = undefined;
      this.#schedule();
    });
  }

  #flush(turns: readonly LiveTurn[]): Promise<void> {
    const stored = this.#store(turns).finally(() => turns.forEach((turn) => this.#underWay.delete(turn)));
    for (const turn of turns) this.#underWay.set(turn, stored);
    return stored;
  }

  async #store(turns: readonly LiveTurn[]): Promise<void> {
    const deltas = turns.flatMap((turn) =>
      takePending(turn).map((piece, at) => ({ turn, seq: turn.seq + 1 + at, ...toRow(piece) })),
    );
    let stored: boolean[];
    try {
      stored = await retryWrite(() => appendDeltas(this.#db, deltas), { forMs: RETRY_FOR_MS });
    } catch {
      // Perhaps it was stored: nobody knows, so nobody may go on. The end of the lease ends these turns.
      stored = deltas.map(() => false);
    }
    for (const [at, { turn, seq, text, tool }] of deltas.entries()) {
      if (turn.lost) continue;
      if (stored[at]) {
        turn.seq = seq;
        const event = tool ?? { type: "text-delta" as const, text };
        this.#publish(turn, { seq, turn: turn.number, ...event });
      } else {
        turn.lost = true;
        turn.onLost();
      }
    }
  }
}

function takePending(turn: LiveTurn): LiveTurn["pending"] {
  const { pending } = turn;
  turn.pending = [];
  return pending;
}

function toRow(piece: string | ToolEvent): { text: string; tool: ToolEvent | undefined } {
  return typeof piece === "string" ? { text: piece, tool: undefined } : { text: "", tool: piece };
}
