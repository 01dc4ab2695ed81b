import { type JsonText, toJsonText } from "../../domain/json-text.ts";
import type { RunFailure } from "../../domain/run.ts";
import { integers, texts } from "../columns.ts";
import type { Db } from "../pool.ts";
import { portions } from "../portions.ts";
import { type RowOf, type Statement, statement } from "../statement.ts";
import { integerArray, textArray } from "../text-array.ts";
import { recordsText, type RecordToStore } from "./record-text.ts";
import {
  AFTER_ENDED,
  endedColumns,
  endEvent,
  ENDING_COLUMNS_IF_LISTENS,
  INSERT_RESULTS,
  NOW,
} from "./ending.ts";

export interface Finish {
  readonly organizationId: string;
  readonly id: string;
  readonly epoch: number;
  readonly status: "COMPLETED" | "FAILED" | "TIMED_OUT";
  readonly output?: unknown;
  readonly error?: RunFailure;
  /** Records of the nodes that have no checkpoint of their own. */
  readonly nodes: readonly RecordToStore[];
  /** A text that nobody can guess; where it stands in the records, the output belongs. So a large output is sent once. */
  readonly outputMark?: string | undefined;
  /** How many nodes ran, checkpointed ones included. */
  readonly cost: number;
  /** It waits for other runs, which end with it. */
  readonly hasChildren?: boolean;
}

export interface FinishResult {
  /** False: the run had changed hands, and nothing of this was written. */
  readonly finished: boolean;
  /** Runs of the organization wait for the slot that is free now. */
  readonly queueWaits: boolean;
}

/**
 * LIMIT names nothing that is not there. But without a known number PostgreSQL expects few rows, and so keeps one plan that
 * looks every run up by its key; otherwise it would think the statement over for every size of batch, which takes as long again.
 */
const ASKED = `asked AS (
  SELECT a.*, a.output_text::json AS output, a.error_text::json AS error,
         CASE WHEN a.output_mark IS NULL THEN a.nodes_text ELSE replace(a.nodes_text, a.output_mark, a.output_text) END::json AS nodes
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[], $9::text[])
         WITH ORDINALITY AS a(organization_id, id, epoch, status, output_text, error_text, nodes_text, cost, output_mark, at)
   LIMIT cardinality($1::text[])
)`;
const IS_MINE = `r.organization_id = a.organization_id AND r.id = a.id AND r.epoch = a.epoch AND r.status = 'EXECUTING'`;
/** Looked up once for all runs of the statement. */
const ASKED_WITH_LISTENS = `(
  SELECT *, organization_id = ANY(ARRAY(
           SELECT x.organization_id FROM event_endpoints x WHERE x.organization_id = ANY($1::text[]) AND x.enabled)) AS listens FROM asked) a`;
/**
 * Asked once per organization, not once per run: the head of a busy queue is a heap of entries that were just taken.
 * The order is the index's: without it a long queue makes a walk over the table look cheaper.
 */
const QUEUES = `queues AS MATERIALIZED (
  SELECT o.organization_id, (
           SELECT true FROM runs q WHERE q.organization_id = o.organization_id AND q.status = 'WAITING' AND q.stage = 'queued'
            ORDER BY q.priority DESC, q.id LIMIT 1) IS NOT NULL AS waits
    FROM (SELECT DISTINCT organization_id FROM asked) o
)`;

/** A run that ends, with what is stored of it. */
interface FinishRow {
  readonly finish: Finish;
  readonly output: string | JsonText | null;
  readonly error: string | null;
  readonly nodes: string | JsonText | null;
}

function toRow(finish: Finish): FinishRow {
  const { output, error, nodes } = finish;
  return {
    finish,
    output: output === undefined ? null : toJsonText(output),
    error: error === undefined ? null : JSON.stringify(error),
    nodes: nodes.length === 0 ? null : recordsText(nodes),
  };
}

async function inPortions(
  db: Db,
  finish: Statement<Answer>,
  finishes: readonly Finish[],
): Promise<FinishResult[]> {
  const results: FinishResult[] = [];
  const size = ({ output, nodes }: FinishRow) => (output?.length ?? 0) + (nodes?.length ?? 0);
  for (const portion of portions(Iterator.from(finishes).map(toRow), size)) {
    const { rows } = await db.query(finish(parametersOf(portion)));
    results.push(...resultsOf(portion, rows[0]!));
  }
  return results;
}

function parametersOf(rows: readonly FinishRow[]): unknown[] {
  return [
    textArray(rows.map(({ finish }) => finish.organizationId)),
    textArray(rows.map(({ finish }) => finish.id)),
    integerArray(rows.map(({ finish }) => finish.epoch)),
    textArray(rows.map(({ finish }) => finish.status)),
    textArray(rows.map(({ output }) => output)),
    textArray(rows.map(({ error }) => error)),
    textArray(rows.map(({ nodes }) => nodes)),
    integerArray(rows.map(({ finish }) => finish.cost)),
    // Of most batches none; NULL stands for a list of as many.
    rows.some(({ finish }) => finish.outputMark !== undefined)
      ? textArray(rows.map(({ finish }) => markText(finish)))
      : null,
  ];
}

/** As it stands in JSON. */
function markText({ outputMark }: Finish): string | null {
  return outputMark === undefined ? null : JSON.stringify(outputMark);
}

/** Answered for all at once: places (from 1) of those that ended, and organizations whose queue waits. */
const ANSWER = { finished: integers, waiting: texts };
type Answer = RowOf<typeof ANSWER>;

function resultsOf(finishes: readonly FinishRow[], answer: Answer): FinishResult[] {
  const finished = new Set(answer.finished);
  return finishes.map(({ finish }, at) => ({
    finished: finished.has(at + 1),
    queueWaits: answer.waiting.includes(finish.organizationId),
  }));
}

const FINISH_RUNS = statement({
  name: "finish-runs",
  text: `
WITH ${ASKED}, ${QUEUES}, ended AS (
  UPDATE runs r SET status = a.status, finished_epoch = r.epoch, ${ENDING_COLUMNS_IF_LISTENS} FROM ${ASKED_WITH_LISTENS} WHERE ${IS_MINE}
  RETURNING a.at, ${endedColumns({ output: "a.output", error: "a.error", nodes: "a.nodes", cost: "a.cost", listens: "a.listens" })}
), ${AFTER_ENDED}
SELECT ARRAY(
         SELECT at::integer FROM ended
         UNION ALL
         -- Committed by an earlier try whose answer was lost.
         SELECT a.at::integer FROM asked a JOIN runs r ON r.organization_id = a.organization_id AND r.id = a.id
          WHERE r.finished_epoch = a.epoch AND r.status = a.status
       ) AS finished,
       ARRAY(SELECT organization_id FROM queues WHERE waits UNION SELECT organization_id FROM resumed) AS waiting`,
  columns: ANSWER,
});

/** Ends runs of this process; each only if its epoch is still the one it was claimed with. */
export function finishRuns(db: Db, finishes: readonly Finish[]): Promise<FinishResult[]> {
  return inPortions(db, FINISH_RUNS, finishes);
}

const FINISH_PLAIN_RUNS = statement({
  name: "finish-plain-runs",
  text: `
WITH ${ASKED}, ${QUEUES}, ended AS (
  UPDATE runs r SET status = a.status, finished_epoch = r.epoch, ${ENDING_COLUMNS_IF_LISTENS}
    FROM ${ASKED_WITH_LISTENS}
   WHERE ${IS_MINE} AND r.parent_run_id IS NULL
     AND r.credits = 0
  RETURNING r.organization_id, r.id, a.at, a.output, a.error, a.nodes, a.listens, CASE WHEN a.listens THEN ${endEvent("a.error")} END AS event
), results AS (${INSERT_RESULTS}
), told AS (
  INSERT INTO event_batches (organization_id, created_at, run_events)
  SELECT e.organization_id, ${NOW}, array_agg(e.event) FROM ended e WHERE e.listens GROUP BY 1
)
SELECT ARRAY(SELECT at::integer FROM ended) AS finished, ARRAY(SELECT organization_id FROM queues WHERE waits) AS waiting`,
  columns: ANSWER,
});

/**
 * The same for runs whose end concerns no other row: no parent waits, no child runs, no credits were reserved. What is left undone
 * (`finished` false) is for `finishRuns`. Most runs are of this kind, and this takes half the time.
 */
export function finishPlainRuns(db: Db, finishes: readonly Finish[]): Promise<FinishResult[]> {
  return inPortions(db, FINISH_PLAIN_RUNS, finishes);
}
