import type { SourceFile } from "../../domain/documents/parse-source.ts";
import { FairShare } from "../../domain/fair-share.ts";
import { Refusal } from "../../domain/refusal.ts";
import { ReadingProcess } from "./reading-process.ts";
import type { ReadDocuments } from "./read-documents.ts";

const MAX_PROCESSES = 4;
/**
 * Longer texts are read one at a time: what is read takes up to 200 times its length. And the process that has read one is
 * not kept: its heap would not shrink before somebody needs it again.
 */
const MAX_SMALL_LENGTH = 262_144;
const MAX_IDLE_MS = 30_000;

const places = new FairShare(MAX_PROCESSES);
let isLargeUnderWay = false;
let idle: ReadingProcess | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/**
 * Reads documents in a process beside: YAML cannot be read in slices, and takes much memory. The process is at hand for as
 * long as `work` lasts, to say where in the files things are.
 */
export async function withSources<Result>(
  caller: string,
  files: readonly SourceFile[],
  work: (read: ReadDocuments) => Promise<Result>,
): Promise<Result> {
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  const isLarge = length > MAX_SMALL_LENGTH;
  if ((isLarge && isLargeUnderWay) || !places.take(caller))
    throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
  isLargeUnderWay ||= isLarge;
  const reader = takeIdle() ?? new ReadingProcess();
  try {
    return await work(await reader.read(caller, files));
  } finally {
    places.giveBack(caller);
    if (isLarge) isLargeUnderWay = false;
    if (idle !== undefined || reader.hasEnded || isLarge) reader.end();
    else keep(reader);
  }
}

/** Starting one takes longer than reading most documents. */
function keep(reader: ReadingProcess): void {
  reader.rest();
  idle = reader;
  idleTimer = setTimeout(() => takeIdle()?.end(), MAX_IDLE_MS).unref();
}

function takeIdle(): ReadingProcess | undefined {
  const reader = idle;
  clearTimeout(idleTimer);
  idle = undefined;
  return reader?.hasEnded ? undefined : reader;
}
