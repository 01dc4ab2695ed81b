import type { JsonText } from "../../domain/json-text.ts";
import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { portions } from "../portions.ts";
import { integerArray, textArray } from "../text-array.ts";
import { recordText, type RecordToStore, UPDATE_OPEN_RECORD } from "./record-text.ts";

export interface Checkpoint {
  readonly organizationId: string;
  readonly runId: string;
  readonly epoch: number;
  readonly records: readonly RecordToStore[];
  /** Nothing was stored under these keys before, as far as the worker knows. */
  readonly isNew: boolean;
}

/** What a record costs beyond its text: many small ones are cut sooner. */
const recordCharacters = 700;

/**
 * Stores outputs of nodes; false for a run that has changed hands. The run's row is held while its records are
 * written, so that nothing can land after somebody else has taken the run over.
 */
export async function checkpointRuns(db: Db, checkpoints: readonly Checkpoint[]): Promise<boolean[]> {
  const kept: boolean[] = [];
  const size = ({ records }: CheckpointRow) =>
    records.reduce((sum, { text }) => sum + text.length + recordCharacters, 0);
  for (const portion of portions(Iterator.from(checkpoints).map(toRow), size))
    kept.push(...(await keep(db, portion)));
  return kept;
}

interface CheckpointRow extends Omit<Checkpoint, "records"> {
  readonly records: readonly { readonly nodeKey: string; readonly text: string | JsonText }[];
}

function toRow({ records, ...checkpoint }: Checkpoint): CheckpointRow {
  const texts = records.map((record) => ({ nodeKey: record.nodeKey, text: recordText(record) }));
  return { ...checkpoint, records: texts };
}

interface HeldRun extends Pick<Checkpoint, "organizationId" | "runId" | "epoch"> {
  /** From 1, as PostgreSQL counts. */
  readonly place: number;
}

const runKey = ({ organizationId, runId, epoch }: Omit<HeldRun, "place">) =>
  `${organizationId} ${runId} ${epoch}`;

/** Branches of one run may bring a checkpoint each; the run is held, and answers, once. */
function runsOf(checkpoints: readonly CheckpointRow[]): ReadonlyMap<string, HeldRun> {
  const runs = new Map<string, HeldRun>();
  for (const checkpoint of checkpoints) {
    const key = runKey(checkpoint);
    if (!runs.has(key)) runs.set(key, { ...checkpoint, place: runs.size + 1 });
  }
  return runs;
}

/** One statement writes a row once. */
function latestOfEach<Row extends { readonly runId: string; readonly nodeKey: string }>(
  rows: readonly Row[],
): Row[] {
  const byKey = new Map(rows.map((row) => [`${row.runId} ${row.nodeKey}`, row]));
  return byKey.size === rows.length ? [...rows] : [...byKey.values()];
}

/**
 * Which runs are still held is put into an array, so that each record finds its own by place: PostgreSQL cannot know how many
 * there are, and joins that it takes for short would compare all records with all runs.
 */
function checkpointStatement(name: string, onConflict: string) {
  return statement({
    name,
    text: `
WITH fence AS (
  SELECT a.at, r.id IS NOT NULL AS held
    FROM (
      SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]) WITH ORDINALITY AS a(organization_id, id, epoch, at)
       ORDER BY a.organization_id, a.id COLLATE "C"
    ) AS a
    LEFT JOIN LATERAL (
      SELECT r.id FROM runs r
       WHERE r.organization_id = a.organization_id AND r.id = a.id AND r.epoch = a.epoch AND r.status = 'EXECUTING' FOR SHARE
    ) AS r ON true
), kept AS (
  INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
  SELECT n.organization_id, n.run_id, n.node_key, n.epoch, n.record::json
    FROM unnest($4::integer[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[])
         AS n(place, organization_id, run_id, epoch, node_key, record)
   WHERE (ARRAY(SELECT f.held FROM fence f ORDER BY f.at))[n.place]
  ${onConflict}
)
SELECT f.held FROM fence f ORDER BY f.at`,
    columns: { held: boolean },
  });
}

const CHECKPOINT_RUNS = checkpointStatement("checkpoint-runs", UPDATE_OPEN_RECORD);
/** Looking for what stands there already is a fifth of the work. */
const CHECKPOINT_NEW = checkpointStatement("checkpoint-new", "");
const UNIQUE_VIOLATION = "23505";

async function keep(db: Db, checkpoints: readonly CheckpointRow[]): Promise<boolean[]> {
  if (!checkpoints.every(({ isNew }) => isNew)) return write(db, CHECKPOINT_RUNS, checkpoints);
  try {
    return await write(db, CHECKPOINT_NEW, checkpoints);
  } catch (error) {
    // Committed by an earlier try whose answer was lost.
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return write(db, CHECKPOINT_RUNS, checkpoints);
  }
}

async function write(
  db: Db,
  checkpoint: typeof CHECKPOINT_RUNS,
  checkpoints: readonly CheckpointRow[],
): Promise<boolean[]> {
  const runs = runsOf(checkpoints);
  const flat = latestOfEach(
    checkpoints.flatMap(({ organizationId, runId, epoch, records }) =>
      records.map((record) => ({ organizationId, runId, epoch, ...record })),
    ),
  );
  const held = [...runs.values()];
  const { rows } = await db.query(
    checkpoint([
      textArray(held.map(({ organizationId }) => organizationId)),
      textArray(held.map(({ runId }) => runId)),
      integerArray(held.map(({ epoch }) => epoch)),
      integerArray(flat.map((record) => runs.get(runKey(record))!.place)),
      textArray(flat.map(({ organizationId }) => organizationId)),
      textArray(flat.map(({ runId }) => runId)),
      integerArray(flat.map(({ epoch }) => epoch)),
      textArray(flat.map(({ nodeKey }) => nodeKey)),
      textArray(flat.map(({ text }) => text)),
    ]),
  );
  return checkpoints.map((one) => rows[runs.get(runKey(one))!.place - 1]!.held);
}
