import { type JsonText, writeJsonText } from "../domain/json-text.ts";
import { driveSliced } from "../domain/sliced.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import type { RecordToStore } from "../storage/runs/record-text.ts";
import type { NodeRecord } from "./flow-runner/run-types.ts";

/** What is less is written by the statement that stores it, together with that of other runs. */
const smallBytes = 200_000;

/** Whether it is written before. */
export function isLarge({ bytes }: { readonly bytes: number }): boolean {
  return bytes > smallBytes;
}

/** A record on its way to the database: itself, or what was written of a large one. */
export interface RecordOnItsWay extends RecordToStore {
  readonly status: string;
  readonly handle: string | undefined;
}

/** Writes the records of a run as JSON where they are large, and lets others have their turn meanwhile. */
export async function writeRecords(
  organizationId: string,
  { records, bytes }: { readonly records: readonly NodeRecord[]; readonly bytes: number },
): Promise<readonly RecordOnItsWay[]> {
  if (!isLarge({ bytes })) return records;
  const written: RecordOnItsWay[] = [];
  for (const record of records) {
    const { nodeKey, status, handle } = record;
    written.push({ nodeKey, status, handle, written: await write(organizationId, record) });
  }
  return written;
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
