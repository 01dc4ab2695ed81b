import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { answerMemory, type Holding, type MemoryPort } from "../../lifecycle/shared-memory.ts";
import { toGuardedError } from "./failure.ts";
import { GuardedHttpError } from "./guarded-http.ts";

interface Reading {
  readonly host: string;
  readonly organizationId: string;
  readonly memory?: MemoryPort | undefined;
}

type Chunks = AsyncIterable<Uint8Array>;

const maxExpansion = 100;
/** Small answers may shrink to almost nothing without being an attack. */
const expansionFreeBytes = 256 * 1024;
/** Smaller answers are not counted. */
const uncountedBytes = 64 * 1024;
/** After so much the clock is read. A chunk counts for more than its bytes, because each costs something. */
const bytesBetweenLooks = 16 * 1024;
const bytesPerChunk = 512;

export function isDecodable(encoding: string | undefined): encoding is string {
  return encoding !== undefined && /^(x-gzip|gzip|deflate|br)$/i.test(encoding.trim());
}

/**
 * The body after decompression, ended by an error once it grows beyond measure. Leaving the loop closes the socket. One
 * loop for all of it: a model's reply passes here token by token, and each generator on the way is paid by each token.
 * Chunks that have already arrived are read without a turn of the event loop in between, and so is what the reader does
 * with them: it gives way here, and where many large answers are read at once it waits for others to be through.
 */
export async function* readBounded(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
  { host, organizationId, memory }: Reading,
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  let bytes = 0;
  let sinceLook = 0;
  let counted = 0;
  let own: Holding | undefined;
  const packed = isDecodable(encoding);
  const chunks = packed
    ? decode(
        countedChunks(body, (size) => (receivedBytes += size)),
        encoding.trim().toLowerCase(),
      )
    : (body as Chunks);
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw tooLarge(`The answer is larger than ${maxBytes} bytes, which is the limit.`);
      if (packed && bytes > expansionFreeBytes && bytes > receivedBytes * maxExpansion) {
        throw tooLarge(
          `The answer grows more than ${maxExpansion} times when it is unpacked, and was refused.`,
        );
      }
      if (bytes > uncountedBytes) {
        const holder = memory ?? (own ??= answerMemory.open(organizationId));
        holder.add(bytes - counted);
        counted = bytes;
      }
      yield chunk;
      sinceLook += chunk.length + bytesPerChunk;
      if (sinceLook > bytesBetweenLooks) {
        sinceLook = 0;
        const nextTurn = eventLoop.giveWay(organizationId);
        if (nextTurn) await nextTurn;
        const room = counted > 0 ? (memory ?? own)!.room() : undefined;
        if (room) await room;
      }
    }
  } catch (error) {
    throw toGuardedError(error, host);
  } finally {
    memory?.add(-counted);
    own?.close();
    body.destroy();
  }
}

async function* countedChunks(chunks: Chunks, count: (size: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

async function* decode(chunks: AsyncGenerator<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  // The answer to HEAD names an encoding and has no body.
  if (first.done) return;
  async function* all() {
    yield first.value as Uint8Array;
    yield* chunks;
  }
  yield* pipeline(all(), decoderFor(encoding, first.value), ignore) as Chunks;
}

function decoderFor(encoding: string, firstBytes: Uint8Array) {
  if (encoding === "br") return createBrotliDecompress();
  if (encoding !== "deflate") return createGunzip();
  // Servers disagree whether `deflate` has the zlib header; its first byte tells.
  const hasZlibHeader = ((firstBytes[0] ?? 0) & 0x0f) === 8;
  return hasZlibHeader ? createInflate() : createInflateRaw();
}

function tooLarge(message: string): GuardedHttpError {
  return new GuardedHttpError("ResponseTooLarge", message);
}

/** Errors of the streams reach the reader through its loop. */
function ignore(): void {}
