import { randomUUID } from "node:crypto";
import type { TerminalStatus } from "@millrace/contract/run-status";
import type { ClaimedRun } from "../domain/run.ts";
import type { CheckpointPort, NodeRecord, RunOutcome } from "./flow-runner/run-types.ts";
import type { StopReason } from "./run-stop.ts";
import type { RunEnding, RunWriter } from "./run-writer.ts";
import type { RunWaits } from "./waits.ts";
import {
  freeAll,
  isLarge,
  type RecordOnItsWay,
  writeOutput,
  writePortions,
  writeRecord,
} from "./write-large.ts";

interface Ending {
  readonly save: CheckpointPort["save"];
  /** How many nodes have ended of which the records are saved. */
  readonly saved: () => number;
  readonly waits: RunWaits;
  readonly writer: RunWriter;
  readonly reason: StopReason | undefined;
}

/** How the run has ended, where it has. */
export async function writeOutcome(
  run: ClaimedRun,
  outcome: RunOutcome,
  { save, saved, waits, writer, reason }: Ending,
): Promise<TerminalStatus | undefined> {
  if (outcome.kind === "aborted" && reason === "lost") return writeInterrupted(run, outcome, writer);
  const last: LastRecords = isLarge(outcome)
    ? await saveMost(run, outcome, save)
    : { records: outcome.records, ended: countEnded(outcome.records) };
  const { records, ended, outputMark } = last;
  const ending = { records, cost: saved() + ended, hasChildren: waits.hasChildren(), outputMark };
  try {
    return await writeEnd(run, outcome, ending, { waits, writer, reason });
  } finally {
    freeAll(records);
  }
}

async function writeEnd(
  run: ClaimedRun,
  outcome: RunOutcome,
  ending: RunEnding,
  { waits, writer, reason }: Pick<Ending, "waits" | "writer" | "reason">,
): Promise<TerminalStatus | undefined> {
  const { records } = ending;
  switch (outcome.kind) {
    case "completed": {
      if (!isLarge(outcome)) await writer.complete(run, ending, outcome.output);
      else await completeLarge(run, outcome, ending, writer);
      return "COMPLETED";
    }
    case "failed":
      return (await writer.fail(run, ending, outcome)) ? "FAILED" : undefined;
    case "suspended":
      await writer.pause(run, { waits: waits.open(), records });
      return undefined;
    case "aborted":
      if (reason !== "timed-out") {
        await writer.release(run, records);
        return undefined;
      }
      await writer.timeOut(run, ending);
      return "TIMED_OUT";
  }
}

async function completeLarge(
  run: ClaimedRun,
  outcome: { readonly output: unknown },
  ending: RunEnding,
  writer: RunWriter,
): Promise<void> {
  const output = await writeOutput(run.organizationId, outcome);
  try {
    await writer.complete(run, ending, output);
  } finally {
    output.free();
  }
}

export async function saveInPortions(
  run: ClaimedRun,
  { records, isNew }: { readonly records: readonly NodeRecord[]; readonly isNew: boolean },
  writer: RunWriter,
): Promise<void> {
  for await (const portion of writePortions(run.organizationId, records))
    await writer.checkpoint(run, { records: portion, isNew });
}

interface LastRecords {
  readonly records: readonly RecordOnItsWay[];
  readonly ended: number;
  readonly outputMark?: string;
}

/** Of a run that holds much, what may be saved before its end: one statement for all of it would be too large. */
async function saveMost(
  run: ClaimedRun,
  outcome: RunOutcome,
  save: CheckpointPort["save"],
): Promise<LastRecords> {
  const { last, bytes } = outcome;
  const before = outcome.records.filter((record) => record !== last && isKnownAnyway(record));
  if (before.length > 0) await save(before, bytes);
  const output = outcome.kind === "completed" ? outcome.output : undefined;
  const records: RecordOnItsWay[] = [];
  for (const record of outcome.records) {
    if (record !== last && isKnownAnyway(record)) continue;
    const marked = record === last && output !== undefined ? markOutput(record, output) : record;
    records.push(await writeRecord(run.organizationId, marked));
  }
  const ended = countEnded(outcome.records) - countEnded(before);
  return output === undefined ? { records, ended } : { records, ended, outputMark: placeOfOutput };
}

const CONTAINERS: ReadonlySet<string> = new Set(["for-each", "while"]);

/**
 * Whether a worker that goes on with the run would go on in the same way with this record as without it. One that was stopped,
 * or has failed for good, would forget how many attempts were made.
 */
function isKnownAnyway({ type, status, handle, attempts }: NodeRecord): boolean {
  if (status === "COMPLETED" || status === "EXECUTING") return true;
  return status === "FAILED" ? handle !== undefined : CONTAINERS.has(type) && attempts === 1;
}

const placeOfOutput = `output-${randomUUID()}`;

/** A return was given, and has returned, what the run has come to. */
function markOutput(last: NodeRecord, output: object): NodeRecord {
  const marked = (value: unknown) => (value === output ? placeOfOutput : value);
  const input =
    last.input &&
    Object.fromEntries(Object.entries(last.input).map(([name, value]) => [name, marked(value)]));
  return { ...last, input, output: marked(last.output) } as NodeRecord;
}

/** Where somebody has ended the run, its nodes are told; where somebody else owns it now, nothing of it is ours to write. */
async function writeInterrupted(
  run: ClaimedRun,
  outcome: RunOutcome,
  writer: RunWriter,
): Promise<TerminalStatus | undefined> {
  const { records } = outcome;
  if (records.length === 0) return undefined;
  const status = await writer.findInterruption(run);
  if (status === undefined) return undefined;
  const told = records.map((record) => (record.status === "CANCELED" ? { ...record, status } : record));
  if (!isLarge(outcome)) await writer.keepInterrupted(run, told);
  else
    for await (const portion of writePortions(run.organizationId, told))
      await writer.keepInterrupted(run, portion);
  return status;
}

export function countEnded(records: Iterable<NodeRecord>): number {
  let count = 0;
  for (const { status } of records) if (status === "COMPLETED" || status === "FAILED") count += 1;
  return count;
}
