import type { NewRun } from "../../domain/new-run.ts";
import { writeJson, writeSmallJson } from "../../domain/json-text.ts";
import { finishSliced, type Sliced } from "../../domain/sliced.ts";
import { textArray } from "../text-array.ts";

/** A run to be made as the type `new_run` of the database names it. */
type NewRunRow = Record<string, unknown>;

/**
 * What most runs have in common is left out and filled in by `insert_runs`: every field costs the database about as much as
 * a column it inserts.
 */
export function newRunRow(run: NewRun): NewRunRow {
  return {
    id: run.id,
    flow_id: run.flowId,
    version: run.version,
    trigger_source: run.triggerSource,
    tags: run.tags.length === 0 ? undefined : run.tags,
    is_test: run.isTest || undefined,
    delay_ms: run.delayMs || undefined,
    max_attempts: run.maxAttempts === 1 ? undefined : run.maxAttempts,
    max_duration_ms: run.maxDurationMs,
    credits: run.credits,
    depth: run.depth || undefined,
    parent_run_id: run.parent?.runId,
    parent_node_key: run.parent?.nodeKey,
    key_scope: run.idempotency?.scope,
    key_hash: run.idempotency && String.raw`\x${run.idempotency.keyHash.toString("hex")}`,
  };
}

/** What triggers that come at once often agree on. */
const SHARED = {
  flow_id: "flowId",
  version: "version",
  trigger_source: "triggerSource",
  max_duration_ms: "maxDurationMs",
  credits: "credits",
} as const satisfies Record<string, keyof NewRun>;

/** The same for runs that are made together: what all of them say is said once. */
export function newRunRows(runs: readonly NewRun[]): {
  readonly common: NewRunRow;
  readonly runs: NewRunRow[];
} {
  const [first] = runs;
  const rows = runs.map(newRunRow);
  const common: NewRunRow = {};
  for (const [column, name] of Object.entries(SHARED)) {
    const value = first?.[name];
    if (!runs.every((run) => run[name] === value)) continue;
    common[column] = value;
    for (const row of rows) row[column] = undefined;
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

/** The same where all of it can be written in one go, as of most runs. */
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
  return value === undefined ? null : writeSmallJson(value);
}

/** The same piece by piece. */
export function* writePayload({ data, inputs, trigger }: NewRun): Sliced<PayloadTexts> {
  return {
    data: yield* writePart(data),
    inputs: yield* writePart(inputs),
    trigger: yield* writePart(trigger),
  };
}

/** Parameters beside the rows of `new_run`: data, inputs and triggers. They may be large, so they are no part of a JSON value. */
export function payloadArrays(texts: readonly PayloadTexts[]): (Buffer | null)[] {
  return [
    arrayOf(texts.map(({ data }) => data)),
    arrayOf(texts.map(({ inputs }) => inputs)),
    arrayOf(texts.map(({ trigger }) => trigger)),
  ];
}

function arrayOf(texts: readonly (string | null)[]): Buffer | null {
  return texts.every((text) => text === null) ? null : textArray(texts);
}

function* writePart(value: unknown): Sliced<string | null> {
  return value === undefined ? null : yield* writeJson(value);
}
