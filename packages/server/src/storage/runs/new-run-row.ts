import type { NewRun } from "../../domain/new-run.ts";
import { writeJson, writeSmallJson } from "../../domain/write-json.ts";
import { finishSliced, type Sliced } from "../../domain/sliced.ts";
import { textArray } from "../text-array.ts";

/** A run to be made as the type `new_run` of the database names it. */
type NewRunRow = Record<string, unknown>;

/** What triggers that come at once often agree on. */
const SHARED = Object.entries({
  flow_id: "flowId",
  version: "version",
  trigger_source: "triggerSource",
  max_duration_ms: "maxDurationMs",
  credits: "credits",
} as const satisfies Record<string, keyof NewRun>);

export function newRunRow(run: NewRun): NewRunRow {
  const row = ownRow(run);
  for (const [column, name] of SHARED) row[column] = run[name];
  return row;
}

/**
 * What most runs have in common is left out and filled in by `insert_runs`: every field costs the database about as much as
 * a column it inserts.
 */
function ownRow(run: NewRun): NewRunRow {
  const row: NewRunRow = {
    id: run.id,
  };
  if (run.tags.length > 0) row["tags"] = run.tags;
  if (run.isTest) row["is_test"] = true;
  if (run.delayMs > 0) row["delay_ms"] = run.delayMs;
  if (run.maxAttempts !== 1) row["max_attempts"] = run.maxAttempts;
  if (run.depth > 0) row["depth"] = run.depth;
  if (run.parent) {
    row["parent_run_id"] = run.parent.runId;
    row["parent_node_key"] = run.parent.nodeKey;
  }
  if (run.idempotency) {
    row["key_scope"] = run.idempotency.scope;
    row["key_hash"] = String.raw`\x${run.idempotency.keyHash.toString("hex")}`;
  }
  return row;
}

/** The same for runs that are made together: what all of them say is said once. */
export function newRunRows(runs: readonly NewRun[]): {
  readonly common: NewRunRow;
  readonly runs: NewRunRow[];
} {
  const rows = runs.map(ownRow);
  const common: NewRunRow = {};
  for (const [column, name] of SHARED) {
    const value = runs[0]?.[name];
    if (runs.every((run) => run[name] === value)) common[column] = value;
    else runs.forEach((run, at) => (rows[at]![column] = run[name]));
  }
  return { common, runs: rows };
}

/** What a run was given, as it is stored; written out once, by whoever brings it. */
export interface PayloadTexts {
  readonly data: string | null;
  readonly inputs: string | null;
  readonly trigger: string | null;
}

export function payloadTexts(run: NewRun): PayloadTexts {
  return finishSliced(writePayload(run));
}

/** So little that a hundred triggers in one turn of the event loop may write it. */
const slight = { bytes: 20_000, values: 1_000, depth: 100 };

/** The same where all of it can be written at once, as of most runs. */
export function smallPayloadTexts({ data, inputs, trigger }: NewRun): PayloadTexts | undefined {
  const texts = {
    data: writeSmallPart(data),
    inputs: writeSmallPart(inputs),
    trigger: writeSmallPart(trigger),
  };
  return areWritten(texts) ? texts : undefined;
}

type PartlyWritten = { readonly [Part in keyof PayloadTexts]: string | null | undefined };

function areWritten(texts: PartlyWritten): texts is PayloadTexts {
  return texts.data !== undefined && texts.inputs !== undefined && texts.trigger !== undefined;
}

/** Undefined where it is too large for that. */
function writeSmallPart(value: unknown): string | null | undefined {
  return value === undefined ? null : writeSmallJson(value, slight);
}

/** The same piece by piece. */
export function* writePayload({ data, inputs, trigger }: NewRun): Sliced<PayloadTexts> {
  yield;
  return {
    data: yield* writePart(data),
    inputs: yield* writePart(inputs),
    trigger: yield* writePart(trigger),
  };
}

/** Parameters beside the rows of `new_run`: data, inputs and triggers. They may be large, so they are no part of a JSON value. */
export function payloadArrays(texts: readonly PayloadTexts[]): ReturnType<typeof arrayOf>[] {
  return [
    arrayOf(texts.map(({ data }) => data)),
    arrayOf(texts.map(({ inputs }) => inputs)),
    arrayOf(texts.map(({ trigger }) => trigger)),
  ];
}

function arrayOf(texts: readonly (string | null)[]) {
  return texts.every((text) => text === null) ? null : textArray(texts);
}

function* writePart(value: unknown): Sliced<string | null> {
  return value === undefined ? null : yield* writeJson(value);
}
