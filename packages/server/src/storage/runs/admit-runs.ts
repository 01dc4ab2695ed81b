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
  /** How many flows and agents that called each other stand above it. */
  readonly depth: number;
  readonly idempotency?: { readonly scope: string; readonly keyHash: Buffer };
  readonly data?: unknown;
  readonly inputs?: unknown;
  readonly trigger?: unknown;
}

type AdmissionOutcome =
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
  const answer = await db.query({
    name: "admit-runs",
    text: `SELECT outcome, winner, queue_size FROM admit_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21) ORDER BY ordinal`,
    values: [
      batch.organizationId,
      batch.processId,
      batch.claim,
      batch.queueKnown ?? null,
      batch.again,
      runs.map(({ id }) => id),
      runs.map(({ flowId }) => flowId),
      runs.map(({ version }) => version),
      runs.map(({ delayMs }) => delayMs),
      runs.map(({ maxAttempts }) => maxAttempts),
      runs.map(({ maxDurationMs }) => maxDurationMs),
      runs.map(({ triggerSource }) => triggerSource),
      runs.map(({ tags }) => arrayLiteral(tags)),
      runs.map(({ isTest }) => isTest),
      runs.map(({ credits }) => credits),
      runs.map(({ depth }) => depth),
      runs.map(({ idempotency }) => idempotency?.scope ?? null),
      runs.map(({ idempotency }) => idempotency?.keyHash ?? null),
      runs.map(({ data }) => jsonText(data)),
      runs.map(({ inputs }) => jsonText(inputs)),
      runs.map(({ trigger }) => jsonText(trigger)),
    ],
  });
  return answer.rows.map(({ outcome, winner, queue_size }) => ({
    outcome,
    runId: winner,
    queueSize: queue_size,
  }));
}

function jsonText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** An array inside an array parameter has to be written out. */
function arrayLiteral(texts: readonly string[]): string | null {
  if (texts.length === 0) return null;
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`;
}
