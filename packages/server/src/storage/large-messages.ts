import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import { Client, type ClientConfig } from "pg";
import { freeBytes } from "../domain/free-bytes.ts";
import { largeArrivals } from "./large-arrivals.ts";
import { int32, LongTextArray } from "./text-array.ts";

const headBytes = 5;
/** Less may be copied a few times. */
const largeBytes = 100_000;
const codeOfRow = "D".charCodeAt(0);

interface BindConfig {
  readonly portal?: string;
  readonly statement?: string;
  readonly values?: readonly unknown[];
  readonly valueMapper: (value: unknown, at: number) => Buffer | string | null | undefined;
}

/** What is changed of a connection of the driver. */
interface Wire {
  readonly stream: Duplex;
  bind(config: BindConfig): void;
  attachListeners(stream: EventEmitter): void;
}

/**
 * A client whose connection sends and receives large messages without putting them together on the way: the driver
 * copies what it sends once, and what it receives into buffers that it doubles, and leaves all of them to the next collection.
 */
export function withLargeMessages(Base: typeof Client = Client): typeof Client {
  return class LargeMessagesClient extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const wire = (this as unknown as { connection: Wire }).connection;
      const { bind, attachListeners } = wire;
      wire.bind = (config) => {
        if (config.values?.some((value) => value instanceof LongTextArray)) sendBind(wire.stream, config);
        else bind.call(wire, config);
      };
      wire.attachListeners = (stream) => {
        const whole = new EventEmitter();
        attachListeners.call(wire, whole);
        const messages = new WholeMessages(
          (bytes) => whole.emit("data", bytes),
          (bytes) => largeArrivals.begin(bytes, wire.stream),
        );
        stream.on("data", (chunk: Buffer) => messages.push(chunk));
      };
    }
  };
}

function sendBind(stream: Duplex, config: BindConfig): void {
  if (!stream.writable) return;
  const ends: (() => void)[] = [];
  const pieces = bindPieces(config, ends);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const head = Buffer.alloc(headBytes);
  head.write("B");
  head.writeInt32BE(length + headBytes - 1, 1);
  stream.write(head);
  for (const [at, piece] of pieces.entries()) {
    if (at < pieces.length - 1) stream.write(piece);
    // A write that failed may still be under way somewhere: what it was to send is left to the next collection.
    else stream.write(piece, (error) => error ?? ends.forEach((end) => end()));
  }
}

/** What comes behind the head of the message. */
function bindPieces(
  { portal = "", statement = "", values = [], valueMapper }: BindConfig,
  ends: (() => void)[],
): Buffer[] {
  const pieces: Buffer[] = [];
  let short: Buffer[] = [];
  const mapped = values.map((value, at) => (value instanceof LongTextArray ? value : valueMapper(value, at)));
  short.push(Buffer.from(`${portal}\0${statement}\0`), int16(mapped.length));
  for (const value of mapped)
    short.push(int16(value instanceof LongTextArray || value instanceof Buffer ? 1 : 0));
  short.push(int16(mapped.length));
  for (const value of mapped) {
    if (value === null || value === undefined) short.push(int32(-1));
    else if (value instanceof LongTextArray) {
      const { pieces: long, sent } = value.send();
      ends.push(sent);
      short.push(int32(long.reduce((sum, piece) => sum + piece.length, 0)));
      pieces.push(Buffer.concat(short), ...long);
      short = [];
    } else {
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      short.push(int32(bytes.length), bytes);
    }
  }
  // All columns of the answer as text.
  pieces.push(Buffer.concat([...short, int16(1), int16(0)]));
  return pieces;
}

function int16(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(2);
  buffer.writeInt16BE(value, 0);
  return buffer;
}

/** Passes on what comes in as it comes, but for large messages: each of them whole, in memory of its own that it gives back. */
export class WholeMessages {
  readonly #pass: (bytes: Buffer) => void;
  readonly #beginLarge: (bytes: number) => () => void;
  /** The beginning of a message, too short to say its length. */
  #head: Buffer = Buffer.alloc(0);
  /** Of a small message that has begun, so many bytes are to come. */
  #open = 0;
  #large: { readonly bytes: Buffer; filled: number; readonly end: () => void } | undefined;

  /** `beginLarge` is told how large a message is that has begun, and returns what to call when it is there. */
  constructor(pass: (bytes: Buffer) => void, beginLarge: (bytes: number) => () => void = () => () => {}) {
    this.#pass = pass;
    this.#beginLarge = beginLarge;
  }

  push(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#head.length > 0) {
      bytes = Buffer.concat([this.#head, chunk]);
      this.#head = Buffer.alloc(0);
    }
    const from = this.#fillLarge(bytes);
    if (!this.#large) this.#passOn(from === 0 ? bytes : bytes.subarray(from));
  }

  /** How much of this belonged to it. */
  #fillLarge(bytes: Buffer): number {
    if (!this.#large) return 0;
    const copied = bytes.copy(this.#large.bytes, this.#large.filled);
    this.#large.filled += copied;
    if (this.#large.filled === this.#large.bytes.length) {
      const { bytes: message, end } = this.#large;
      this.#large = undefined;
      end();
      this.#pass(message);
      // The values of a row were copied out of it; other messages may be kept as they are.
      if (message[0] === codeOfRow) freeBytes(message);
    }
    return copied;
  }

  #passOn(bytes: Buffer): void {
    let at = this.#open;
    while (at + headBytes <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length && end - at >= largeBytes) {
        this.#open = 0;
        if (at > 0) this.#pass(bytes.subarray(0, at));
        const length = end - at;
        this.#large = { bytes: Buffer.allocUnsafeSlow(length), filled: 0, end: this.#beginLarge(length) };
        this.#fillLarge(bytes.subarray(at));
        return;
      }
      at = end;
    }
    const known = Math.min(at, bytes.length);
    this.#open = at - known;
    // A copy, so that the rest of the chunk need not stay for it.
    if (known < bytes.length) this.#head = Buffer.from(bytes.subarray(known));
    if (known > 0) this.#pass(bytes.subarray(0, known));
  }
}
