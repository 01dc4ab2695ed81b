import type { Db } from "../pool.ts";

export interface NewRun {
  readonly id: string;
  readonly flowId: string;
  readonly version: string;
  readonly delayMs: number;
  readonly maxAttempts: number;
  readonly maxDurationMs: number;
  readonly triggerSource: string;
  readonly tags: readonly string[];
  readonly isTest: boolean;
  readonly credits: number;
  readonly idempotency?: { readonly scope: string; readonly keyHash: Buffer };
  readonly data?: unknown;
  readonly inputs?: unknown;
  readonly trigger?: unknown;
}

export type AdmissionOutcome =
  | "claimed"
  | "admitted"
  | "queued"
  | "delayed"
  | "replayed"
  | "known"
  | "no_credits"
  | "queue_full";

export interface Admission {
  readonly outcome: AdmissionOutcome;
  /** The run that answers the trigger: its own, or the one an idempotency key was used for before. */
  readonly runId: string;
  readonly queueSize: number | null;
}

export interface AdmissionBatch {
  readonly organizationId: string;
  readonly processId: string;
  /** How many of the runs this process would begin at once. */
  readonly claim: number;
  /** The length of the queue if it is known and far from its limit. */
  readonly queueKnown: number | undefined;
  readonly again: boolean;
  readonly runs: readonly NewRun[];
}

/** One statement for a batch of triggers of one organization. */
export async function admitRuns(db: Db, batch: AdmissionBatch): Promise<Admission[]> {
  const { runs } = batch;
  const rows = runs.map((run) => ({
    id: run.id,
    flow_id: run.flowId,
    version: run.version,
    max_attempts: run.maxAttempts,
    max_duration_ms: run.maxDurationMs,
    trigger_source: run.triggerSource,
    tags: run.tags,
    is_test: run.isTest,
    data: run.data,
    inputs: run.inputs,
    trigger: run.trigger,
  }));
  const answer = await db.query({
    name: "admit-runs",
    text: `SELECT outcome, winner, queue_size FROM admit_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ORDER BY ordinal`,
    values: [
      batch.organizationId,
      batch.processId,
      batch.claim,
      batch.queueKnown ?? null,
      batch.again,
      runs.map(({ id }) => id),
      runs.map(({ delayMs }) => delayMs),
      runs.map(({ credits }) => credits),
      runs.map(({ idempotency }) => idempotency?.scope ?? null),
      runs.map(({ idempotency }) => idempotency?.keyHash ?? null),
      JSON.stringify(rows),
    ],
  });
  return answer.rows.map(({ outcome, winner, queue_size }) => ({
    outcome,
    runId: winner,
    queueSize: queue_size,
  }));
}
