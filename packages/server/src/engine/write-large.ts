import { type JsonText, writeJsonText } from "../domain/json-text.ts";
import { driveSliced } from "../domain/sliced.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import type { RecordToStore } from "../storage/runs/record-text.ts";
import type { NodeRecord } from "./flow-runner/run-types.ts";

/** What is less is written by the statement that stores it, together with that of other runs. */
const smallBytes = 200_000;
const portionBytes = 2 * 1024 * 1024;
/** To send so many takes a few milliseconds, however small they are. */
const portionRecords = 2_000;
/** What is written of a run at the same time: one record with input and output. */
const maxWrittenBytes = 10_000_000;

interface Sized {
  /** About how much it is as JSON. */
  readonly bytes: number;
}

/** Whether it is written before. */
export function isLarge({ bytes }: Sized): boolean {
  return bytes > smallBytes;
}

/** How much there is of it as JSON at any moment. */
export function writtenBytes({ bytes }: Sized): number {
  return Math.min(bytes, maxWrittenBytes);
}

/** A record on its way to the database: itself, or what was written of a large one. */
export interface RecordOnItsWay extends RecordToStore {
  readonly status: string;
  readonly handle: string | undefined;
}

interface WrittenRecord extends RecordOnItsWay {
  readonly written: JsonText;
}

/**
 * Writes records as JSON, and lets others have their turn meanwhile. The next portion is written when
 * the one before was stored, or could not be, and has given its memory back: a run may hold a hundred times as much.
 */
export async function* writePortions(
  organizationId: string,
  records: readonly NodeRecord[],
): AsyncGenerator<readonly WrittenRecord[]> {
  let portion: WrittenRecord[] = [];
  let filled = 0;
  let next: WrittenRecord | undefined;
  try {
    for (const record of records) {
      next = await writeRecord(organizationId, record);
      const isFull = filled + next.written.length > portionBytes || portion.length === portionRecords;
      if (portion.length > 0 && isFull) {
        yield portion;
        freeAll(portion);
        portion = [];
        filled = 0;
      }
      portion.push(next);
      filled += next.written.length;
    }
    if (portion.length > 0) yield portion;
  } finally {
    next?.written.free();
    freeAll(portion);
  }
}

/** Nobody writes them any more. */
export function freeAll(records: readonly RecordOnItsWay[]): void {
  for (const { written } of records) written?.free();
}

/** Writes one record that may be large. */
export async function writeRecord(organizationId: string, record: NodeRecord): Promise<WrittenRecord> {
  const { nodeKey, status, handle } = record;
  // Each may be small: without this thousands would be written in one turn.
  await eventLoop.giveWay(organizationId);
  return { nodeKey, status, handle, written: await write(organizationId, record) };
}

/** The same for what a run has come to. */
export function writeOutput(
  organizationId: string,
  { output }: { readonly output: unknown },
): Promise<JsonText> {
  return write(organizationId, output);
}

async function write(organizationId: string, value: unknown): Promise<JsonText> {
  return driveSliced(writeJsonText(value), () => eventLoop.giveWay(organizationId));
}
