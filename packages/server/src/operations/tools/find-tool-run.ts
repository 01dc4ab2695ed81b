import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";

/** A run that a call goes on with: one that the caller reaches and, where it names a flow, of that flow. */
export async function findToolRun(
  { db }: { readonly db: Db },
  principal: Principal,
  runId: string,
  flowId: string | undefined,
): Promise<RunRecord> {
  const run = await findRun(db, organizationsFor(principal, undefined), runId);
  if (!run || (flowId !== undefined && run.flowId !== flowId)) throw new Refusal("run_not_found");
  return run;
}
