import type { SourceFile } from "../../domain/documents/parse-source.ts";
import { FairShare } from "../../domain/fair-share.ts";
import { Refusal } from "../../domain/refusal.ts";
import { ReadingThread } from "./reading-thread.ts";
import type { ReadDocuments } from "./read-documents.ts";

const MAX_THREADS = 4;
/**
 * Longer texts are read one at a time: what is read takes up to 200 times its length. And the heap that has held one is
 * not kept: it would not shrink before somebody needs it again.
 */
const MAX_SMALL_LENGTH = 262_144;
const MAX_IDLE_MS = 30_000;

const threads = new FairShare(MAX_THREADS);
let isLargeUnderWay = false;
let idle: ReadingThread | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/**
 * Reads documents in a thread beside: YAML cannot be read in slices, and nobody else's request waits for it. The thread
 * is at hand for as long as `work` lasts, to say where in the files things are.
 */
export async function withSources<Result>(
  caller: string,
  files: readonly SourceFile[],
  work: (read: ReadDocuments) => Promise<Result>,
): Promise<Result> {
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  const isLarge = length > MAX_SMALL_LENGTH;
  if ((isLarge && isLargeUnderWay) || !threads.take(caller))
    throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
  isLargeUnderWay ||= isLarge;
  const thread = takeIdle() ?? new ReadingThread();
  try {
    return await work(await thread.read(files));
  } finally {
    threads.giveBack(caller);
    if (isLarge) isLargeUnderWay = false;
    if (idle !== undefined || thread.hasEnded || isLarge) await thread.end();
    else keep(thread);
  }
}

/** Starting one takes longer than reading most documents, and memory of threads that come and go is never given back whole. */
function keep(thread: ReadingThread): void {
  thread.rest();
  idle = thread;
  idleTimer = setTimeout(() => void takeIdle()?.end(), MAX_IDLE_MS).unref();
}

function takeIdle(): ReadingThread | undefined {
  const thread = idle;
  clearTimeout(idleTimer);
  idle = undefined;
  return thread?.hasEnded ? undefined : thread;
}
