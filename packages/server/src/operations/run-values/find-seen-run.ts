import { mayReadValues, organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";

export interface SeenRecord {
  readonly run: RunRecord;
  /** Otherwise structure, times and statuses are all that is shown. */
  readonly showsValues: boolean;
}

export async function findSeenRun(db: Db, principal: Principal, runId: string): Promise<SeenRecord> {
  const run = await findRun(db, organizationsFor(principal, undefined), runId);
  if (!run) throw new Refusal("run_not_found");
  return { run, showsValues: mayReadValues(principal, run.organizationId) };
}
