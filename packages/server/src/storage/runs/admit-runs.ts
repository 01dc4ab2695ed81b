import type { Db } from "../pool.ts";
import { textArray } from "../text-array.ts";

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

/** What a run was given, as it is stored; written out once, by whoever brings it. */
interface PayloadTexts {
  readonly data: string | null;
  readonly inputs: string | null;
  readonly trigger: string | null;
}

export interface RunToAdmit {
  readonly run: NewRun;
  readonly texts: PayloadTexts;
}

export function toAdmit(run: NewRun): RunToAdmit {
  const { data, inputs, trigger } = run;
  return { run, texts: { data: jsonText(data), inputs: jsonText(inputs), trigger: jsonText(trigger) } };
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
  readonly runs: readonly RunToAdmit[];
}

/** One statement for a batch of triggers of one organization. */
export async function admitRuns(db: Db, batch: AdmissionBatch): Promise<Admission[]> {
  const runs = batch.runs.map(({ run }) => run);
  const texts = batch.runs.map((item) => item.texts);
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
      textArray(texts.map(({ data }) => data)),
      textArray(texts.map(({ inputs }) => inputs)),
      textArray(texts.map(({ trigger }) => trigger)),
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
