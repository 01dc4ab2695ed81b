import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { Refusal } from "../domain/refusal.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";

export interface EventStreamsOptions {
  /** Of silence, before a comment tells proxies that the stream lives. */
  readonly pingAfterMs?: number;
  /** How long a reader may take nothing of what waits for it. */
  readonly stallLimitMs?: number;
  readonly tickMs?: number;
}

export interface EventStreamOptions {
  /** Called once when nothing but pings was sent for so long. */
  readonly idle?: { readonly afterMs: number; readonly onIdle: () => void };
}

// Beyond the first a reader counts as slow, beyond the second it gets nothing more until it has caught up.
const SLOW_BYTES = 16_384;
const FULL_BYTES = 65_536;
/** What happens once is written to thousands of readers, each write costs 0.1 to 0.3 ms: so long in one turn, then others have theirs. */
const WRITING_MS = 5;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** `data:` of one message; JSON has no line breaks of its own. */
export function eventText(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** All open streams of this process, looked after by one timer. */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  readonly #late = new Set<EventStream>();
  readonly #pingAfterMs: number;
  readonly #stallLimitMs: number;
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isWritingLate = false;
  #closing = false;

  constructor(options: EventStreamsOptions = {}) {
    this.#pingAfterMs = options.pingAfterMs ?? 15_000;
    this.#stallLimitMs = options.stallLimitMs ?? 30_000;
    this.#tickMs = options.tickMs ?? 1_000;
  }

  /** Takes the answer over from Fastify; the headers go with the first text. */
  open(reply: FastifyReply, options: EventStreamOptions = {}): EventStream {
    if (this.#closing) throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
    reply.hijack();
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
    const stream: EventStream = new EventStream(reply.raw, options, () => this.#writeLater(stream));
    this.#open.add(stream);
    stream.onClose(() => this.#open.delete(stream));
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    // Whoever asks for the headers alone has them now.
    if (reply.raw.req.method === "HEAD") stream.end();
    return stream;
  }

  /** Ends every stream and lets no new one in; readers come back after a second. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#timer);
    for (const stream of this.#open) stream.end(": closing\nretry: 1000\n\n");
  }

  #writeLater(stream: EventStream): void {
    this.#late.add(stream);
    if (!this.#isWritingLate) void this.#writeLate();
  }

  async #writeLate(): Promise<void> {
    this.#isWritingLate = true;
    while (this.#late.size > 0) {
      await nextTurn();
      const endMs = performance.now() + WRITING_MS;
      for (const stream of this.#late) {
        this.#late.delete(stream);
        stream.writeHeld();
        if (performance.now() > endMs) break;
      }
    }
    this.#isWritingLate = false;
  }

  #tick(): void {
    const nowMs = performance.now();
    for (const stream of this.#open) stream.check(nowMs, this.#pingAfterMs, this.#stallLimitMs);
  }
}

/** One reader. However slow it is, no more than a fixed amount waits for it here. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #options: EventStreamOptions;
  readonly #writeLater: () => void;
  /** Texts for the next turn. */
  #held = "";
  #newest: string | undefined;
  #onRoom: (() => void) | undefined;
  #lastEventMs = performance.now();
  #lastWriteMs = this.#lastEventMs;
  /** When the reader last took everything that waited for it, or something began to wait. */
  #lastTakenMs = this.#lastEventMs;
  #ended = false;

  constructor(response: ServerResponse, options: EventStreamOptions, writeLater: () => void) {
    this.#response = response;
    this.#options = options;
    this.#writeLater = writeLater;
    // A reader that is gone also shows as an error of the write; `close` follows and is enough.
    response.on("error", () => {});
  }

  onClose(listener: () => void): void {
    if (this.#response.closed) listener();
    else this.#response.once("close", listener);
  }

  /** False where the reader is too far behind; the text is then dropped. */
  send(text: string): boolean {
    if (this.#ended || this.#waiting > FULL_BYTES) return false;
    this.#lastEventMs = performance.now();
    this.#write(text);
    return true;
  }

  /** Settles when the reader has taken most of what waited for it, or is gone: for texts that must not be dropped. */
  async room(): Promise<void> {
    if (this.#waiting <= SLOW_BYTES || this.#response.destroyed) return;
    await new Promise<void>((resolve) => {
      const settle = () => {
        this.#response.off("close", settle);
        this.#onRoom = undefined;
        resolve();
      };
      this.#onRoom = settle;
      this.#response.once("close", settle);
    });
  }

  /** For texts that replace each other: a slow reader gets the newest when it has caught up. */
  sendNewest(text: string): void {
    if (this.#waiting > SLOW_BYTES) this.#newest = text;
    else this.send(text);
  }

  end(text = ""): void {
    if (this.#ended) return;
    this.#write((this.#newest ?? "") + text);
    this.#newest = undefined;
    this.#ended = true;
    if (this.#held === "") this.#response.end();
  }

  /** What came when the turn had been long enough. */
  writeHeld(): void {
    const text = this.#held;
    this.#held = "";
    if (!this.#response.destroyed) this.#response.write(text, this.#onTaken);
    if (this.#ended) this.#response.end();
  }

  /** Called by the shared timer. */
  check(nowMs: number, pingAfterMs: number, stallLimitMs: number): void {
    if (this.#waiting > 0) {
      if (nowMs - this.#lastTakenMs > stallLimitMs) this.#response.destroy();
      return;
    }
    this.#lastTakenMs = nowMs;
    if (this.#ended) return;
    const { idle } = this.#options;
    if (idle && nowMs - this.#lastEventMs >= idle.afterMs) idle.onIdle();
    else if (nowMs - this.#lastWriteMs >= pingAfterMs) this.#write(": ping\n\n");
  }

  #write(text: string): void {
    if (this.#response.destroyed) return;
    this.#lastWriteMs = performance.now();
    if (this.#held === "" && !eventLoop.isSliceOver()) {
      this.#response.write(text, this.#onTaken);
      return;
    }
    this.#held += text;
    this.#writeLater();
  }

  /** How much the reader has not taken yet. */
  get #waiting(): number {
    return this.#response.writableLength + this.#held.length;
  }

  readonly #onTaken = (): void => {
    this.#lastTakenMs = performance.now();
    if (this.#waiting <= SLOW_BYTES) this.#onRoom?.();
    if (this.#newest === undefined || this.#ended || this.#waiting > SLOW_BYTES) return;
    const text = this.#newest;
    this.#newest = undefined;
    this.send(text);
  };
}
