import type { NewRun } from "../../domain/new-run.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { assumed, integer, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import {
  newRunRows,
  payloadArrays,
  type PayloadTexts,
  payloadTexts,
  smallPayloadTexts,
  writePayload,
} from "./new-run-row.ts";

export interface RunToAdmit {
  readonly run: NewRun;
  readonly texts: PayloadTexts;
}

export function toAdmit(run: NewRun): RunToAdmit {
  return { run, texts: payloadTexts(run) };
}

/** The same for what somebody from outside may have made large: others have their turn meanwhile. */
export function toAdmitInTurn(
  run: NewRun,
  giveWay: () => Promise<void> | undefined,
): RunToAdmit | Promise<RunToAdmit> {
  const small = smallPayloadTexts(run);
  if (small) return { run, texts: small };
  const texts = driveSliced(writePayload(run), giveWay);
  return texts instanceof Promise ? texts.then((written) => ({ run, texts: written })) : { run, texts };
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

const ADMIT_RUNS = statement({
  name: "admit-runs",
  text: `SELECT outcome, winner AS "runId", queue_size AS "queueSize" FROM admit_triggers($1, $2, $3, $4) ORDER BY ordinal`,
  columns: {
    outcome: assumed(
      oneOf("claimed", "admitted", "queued", "delayed", "replayed", "known", "no_credits", "queue_full"),
    ),
    /** The run that answers the trigger: its own, or the one an idempotency key was used for before. */
    runId: assumed(text),
    queueSize: orNull(integer),
  },
});

export type Admission = Row<typeof ADMIT_RUNS>;

/** One statement for a batch of triggers of one organization. */
export async function admitRuns(db: Db, batch: AdmissionBatch): Promise<Admission[]> {
  const { organizationId, processId, claim, queueKnown, again, runs } = batch;
  const answer = await db.query(
    ADMIT_RUNS([
      JSON.stringify({
        organization_id: organizationId,
        process_id: processId,
        claim,
        queue_known: queueKnown,
        again,
        ...newRunRows(runs.map(({ run }) => run)),
      }),
      ...payloadArrays(runs.map(({ texts }) => texts)),
    ]),
  );
  return answer.rows;
}
